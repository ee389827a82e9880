// The name of the default command, in its own file because the program needs it before loading any command.

/** The command for command lines without one. */
export const DEFAULT_COMMAND = 'serve'
