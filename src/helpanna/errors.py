"""The one error that is the user's to fix."""


class InputError(Exception):
    """Something given by the user cannot be used.

    The message is one sentence that names the file, record or option and says what to do about it. The
    command line prints it and exits with status 2; it never shows a stack trace for it.
    """
