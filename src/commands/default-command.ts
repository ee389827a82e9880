// Apart from what commands share: the program has to know it before it loads any of that.

/** What a command line without the name of a command is for. */
export const DEFAULT_COMMAND = 'serve'
