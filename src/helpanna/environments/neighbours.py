"""The Gymnasium environments of the neighbouring problems: HANNA's with tasks of another kind."""

from helpanna.environments.hanna import HannaEnv, HannaVectorEnv
from helpanna.tasks.kinds import NDH, R2R, R4R, REVERIE, VNLA


class R2REnv(HannaEnv):
    """Room-to-Room and Room-for-Room: follow an instruction to its end.

    ```python
    env = gymnasium.make("helpanna/R2R-v0", data="r2r", split="train")
    ```

    Spaces, information and arguments are those of `HannaEnv`. `tokens` are the instruction; help can never be
    requested (its action is always masked), so there is no target and no route. Rewards are for getting
    nearer to the end of the described path; success is to end no further than 3 m from there. Action 0, stop,
    ends the episode.
    """

    kinds = (R2R, R4R)


class R2RVectorEnv(HannaVectorEnv):
    """Many agents of `R2REnv`, as `HannaVectorEnv`."""

    kinds = R2REnv.kinds


class ReverieEnv(HannaEnv):
    """REVERIE: go to where the object is in sight that the request speaks of.

    ```python
    env = gymnasium.make("helpanna/REVERIE-v0", data="reverie", split="train")
    ```

    As `R2REnv`, but success is to end where the object is in sight. To point at the object is not part of the
    environment: RGS is measured where an agent's decisions name one (`helpanna evaluate`).
    """

    kinds = (REVERIE,)


class ReverieVectorEnv(HannaVectorEnv):
    """Many agents of `ReverieEnv`, as `HannaVectorEnv`."""

    kinds = ReverieEnv.kinds


class NdhEnv(HannaEnv):
    """Navigation from Dialog History: go on as two people have agreed.

    ```python
    env = gymnasium.make("helpanna/NDH-v0", data="ndh", split="train")
    ```

    As `R2REnv`; `tokens` are what is sought and the dialogue, the latest exchange first. Rewards and success
    are about the end of the reference path, which the dataset's supervision has chosen.
    """

    kinds = (NDH,)


class NdhVectorEnv(HannaVectorEnv):
    """Many agents of `NdhEnv`, as `HannaVectorEnv`."""

    kinds = NdhEnv.kinds


class VnlaEnv(HannaEnv):
    """VNLA: find an object in a kind of room, with an adviser who tells the next four steps.

    ```python
    env = gymnasium.make("helpanna/VNLA-v0", data="vnla", split="train")
    ```

    Spaces, information and arguments are those of `HannaEnv`. Help can be requested anywhere until the task's
    budget is used up; the advice is then told on top of the request, with no target image and no route, so
    action 0, stop, always ends the episode.
    """

    kinds = (VNLA,)


class VnlaVectorEnv(HannaVectorEnv):
    """Many agents of `VnlaEnv`, as `HannaVectorEnv`."""

    kinds = VnlaEnv.kinds
