from helpanna.tasks.vocabulary import MAX_WORDS, PADDING, UNKNOWN, Vocabulary

KNOWN = Vocabulary.of(["Walk past the sofa, then stop.", "find a mug"])


def test_words_are_numbered_in_alphabetical_order_after_padding_and_unknown():
    assert KNOWN.words == ("a", "find", "mug", "past", "sofa", "stop", "the", "then", "walk")
    assert len(KNOWN) == 11
    tokens, length = KNOWN.tokens(["Find the MUG!"])
    assert length.tolist() == [3]
    assert tokens[0, :4].tolist() == [3, 8, 4, PADDING]


def test_unknown_words_are_one_word():
    tokens, length = KNOWN.tokens(["find a zebra past a giraffe"])
    assert tokens[0, : length[0]].tolist() == [3, 2, UNKNOWN, 5, 2, UNKNOWN]


def test_fifty_words_at_most():
    tokens, length = KNOWN.tokens(["mug " * MAX_WORDS + "sofa", "mug " * 49 + "sofa"])
    assert tokens.shape == (2, MAX_WORDS)
    assert length.tolist() == [MAX_WORDS, MAX_WORDS]
    assert tokens[0].tolist() == [4] * MAX_WORDS
    assert tokens[1, -1] == 6


def test_an_empty_text_is_one_word_of_padding():
    tokens, length = KNOWN.tokens(["", "?!"])
    assert length.tolist() == [1, 1] and not tokens.any()
