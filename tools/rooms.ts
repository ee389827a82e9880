// The rooms of the project: what an operator watches. Collectors, their tests, alert rules, panels and the sections of the
// documents have the same rooms under the same names.

/** Folder to title. */
export const rooms = {
  validators: 'Validators',
  subnets: 'Subnets and L1s',
  chains: 'Chains',
  nodes: 'Nodes',
  wallets: 'Wallets',
  messages: 'Messages between chains',
} as const

export type Room = keyof typeof rooms

export const roomNames = Object.keys(rooms) as Room[]

/** What several rooms of collectors share. */
export const shared = {
  counting: 'counts each item of a list exactly once, and refuses answers that go backwards',
  subjects: 'what a run is about',
  answers: 'what an answer says, and whether it is about what was asked',
} as const
