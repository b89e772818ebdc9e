"""Algorithm 1 of the paper for many agents, each with a clock of its own.

`Episodes` begins a batch together and records it; the Gymnasium environments begin an agent's next task while
the others go on. Both are made of this.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.assistance.assistants import NONE, Answers, Assistant, Requests
from helpanna.assistance.checking import checked_answers, checked_attention
from helpanna.episodes.poses import Poses
from helpanna.episodes.texts import Texts
from helpanna.episodes.trajectory import NO_ACTION_TAKEN, NO_TARGET
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

STOP = 0


@dataclass(frozen=True, eq=False)
class Taken:
    """What B agents did in one step.

    Attributes:
        asked: [B] whether help was requested.
        action: [B] the navigation action's index, -1 where there was none.
        route: [B] the route that was named where help was requested, else -1.
        instruction: [B] the text that was given, by number (see `helpanna.episodes.texts`), else -1.
        departure: [B] v_d, where that route is to be left, else -1.
        goal: [B] g*, whose panorama is shown on leaving that route, else -1.
        metres: [B] how far it took them, prices included.
    """

    asked: Bools
    action: Ints
    route: Ints
    instruction: Ints
    departure: Ints
    goal: Ints
    metres: NDArray[np.float64]


class States:
    """B agents on their tasks; none depends on its neighbours.

    Attributes:
        poses: where they stand and look.
        task: [B] the index of the task in the split.
        goal_set: [B] what is sought.
        active: [B] whether the episode goes on.
        on_route: [B] the mode: True for sub_task, False for main_task.
        text: [B] the number of the current instruction: see `helpanna.episodes.texts`.
        words: [B] its words.
        text_changed: [B] whether it was given by the last step.
        target: [B] the location of the target image, -1 for none.
        segment: [B] how many task switches there were.
        asked: [B] how many requests there were.
        texts: the texts that assistants said in their own words.
    """

    def __init__(self, split: Split, assistant: Assistant, agents: int, budget: int) -> None:
        self.split, self.assistant, self.budget = split, assistant, budget
        self.poses = Poses(split.atlas, np.zeros(agents, dtype=np.int64))
        self.texts = Texts(split)
        self.words = np.full(agents, "", dtype=object)
        self.active, self.on_route, self.text_changed = np.zeros((3, agents), dtype=bool)
        self.task, self.goal_set, self.text, self.target = np.zeros((4, agents), dtype=np.int64)
        self.segment, self.asked = np.zeros((2, agents), dtype=np.int64)
        self._goal_image, self._step, self._time_left = np.zeros((3, agents), dtype=np.int64)

    def begin(self, agents: Ints | Bools, tasks: ArrayLike) -> None:
        """Some agents (indices or a mask) begin these tasks."""
        tasks = np.asarray(tasks)
        goal_set = self.split.goal_set[tasks]
        self.poses.teleport(agents, self.split.start[tasks], self.split.view[tasks])
        self.task[agents] = tasks
        self.goal_set[agents] = goal_set
        self.text[agents] = self.split.request[tasks]  # l_0 = e
        self.words[agents] = self.split.text_table[self.text[agents]]
        self.target[agents] = self._goal_image[agents] = NO_TARGET
        self.active[agents] = self.text_changed[agents] = True
        self.on_route[agents] = False
        self.segment[agents] = self.asked[agents] = self._step[agents] = 0
        self._time_left[agents] = self.budget

    def can_ask(self) -> Bools:
        """[B] whether help can be requested now."""
        return checked_attention(self.assistant, self._requests()) & self.active

    def step(self, who: Bools, ask: Bools, action: Ints) -> Taken:
        """Carries out one decision of each of some active agents.

        Args:
            who: [B] the agents that decide.
            ask: [B] whether they request help; they must be able to.
            action: [B] the index of the navigation action where they do not.

        Raises:
            ValueError: an agent has no such action; then nothing has changed.
            AnswerError: the assistant says what it must not say; then nothing has changed.
        """
        asks, moves = who & ask, who & ~ask
        answers = None
        if asks.any():
            answers = checked_answers(self.assistant, self.split, self._requests().select(asks))
        action = np.where(moves, action, STOP)
        before = self.poses.location
        self.poses.step(action)
        self.text_changed = self.text_changed & ~who

        stops = moves & (action == STOP)
        departs, ends = stops & self.on_route, stops & ~self.on_route
        message = np.full((4, len(who)), -1, dtype=np.int64)
        metres = np.zeros(len(who))
        if answers is not None:
            message[:, asks], metres[asks] = self._take(asks, answers), answers.metres
        if departs.any():
            request = self.split.request[self.task[departs]]
            words = self.split.text_table[request]
            self._switch(departs, request, words, self._goal_image[departs], on_route=False)
        metres += self.split.atlas.distances(before, self.poses.location)
        self.active &= ~ends
        self.wait(who)
        route, instruction, departure, goal = message
        action = np.where(moves, action, NO_ACTION_TAKEN)
        return Taken(asks, action, route, instruction, departure, goal, metres)

    def wait(self, who: Bools) -> None:
        """A time step passes for some agents."""
        self._step += who
        self._time_left -= who
        self.active &= self._time_left > 0

    def _take(self, asks: Bools, answers: Answers) -> Ints:
        """Tells the agents that ask their answers, and takes them to their routes; [4, b] the messages."""
        routes, agents = self.split.routes, np.flatnonzero(asks)
        enters, given = answers.route != NO_ROUTE, answers.given
        entered = answers.route[enters]
        self.poses.teleport(agents[enters], routes.start[entered], routes.view[entered])
        text, words = self._texts(agents, answers)
        told = np.zeros(len(asks), dtype=bool)
        told[agents[given]] = True
        subtask = self.split.kind.subtasks
        self._switch(told, text[given], words[given], answers.departure[given], on_route=subtask)
        self._goal_image[told] = answers.goal[given]
        self.asked += asks
        self._time_left[asks] -= answers.steps
        return np.stack([answers.route, text, answers.departure, answers.goal])

    def _texts(self, agents: Ints, answers: Answers) -> tuple[Ints, NDArray[np.object_]]:
        """[b] the numbers of the texts that are given, -1 for none, and [b] their words."""
        stored = answers.instruction != NONE
        text = np.where(stored, self.split.instruction_text(answers.instruction), NONE)
        words = self.split.text_table[text]
        if answers.words is not None:
            world = self.split.atlas.world_of[self.poses.location[agents]]
            for i in np.flatnonzero(answers.own).tolist():
                words[i] = answers.words[i]
                text[i] = self.texts.number(int(world[i]), words[i])
        return text, words

    def _switch(
        self,
        agents: Bools,
        text: ArrayLike,
        words: NDArray[np.object_],
        target: ArrayLike,
        on_route: bool,
    ) -> None:
        """A new current task for some agents."""
        self.text[agents] = text
        self.words[agents] = words
        self.target[agents] = target
        self.on_route[agents] = on_route
        self.text_changed |= agents
        self.segment += agents

    def _requests(self) -> Requests:
        poses = self.poses
        return Requests(poses.location, poses.view, self.goal_set, self.task, self._step, self.asked)
