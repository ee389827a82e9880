// The name of the default command, in its own file because the program needs it before loading any command.

export const DEFAULT_COMMAND = 'serve'
