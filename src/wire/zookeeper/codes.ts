/** Numbers of ZooKeeper's client protocol. ON THE WIRE: never renumber. */

export const OP_CODE = {
  exists: 3,
  getData: 4,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  auth: 100,
  closeSession: -11,
} as const

/** Ids of messages outside the order of the session's requests. */
export const SPECIAL_XID = { watcherEvent: -1, ping: -2, auth: -4 } as const

export const ERROR_CODE = {
  ok: 0,
  connectionLoss: -4,
  marshallingError: -5,
  unimplemented: -6,
  operationTimeout: -7,
  badArguments: -8,
  noNode: -101,
  noAuth: -102,
  sessionExpired: -112,
  authFailed: -115,
} as const

const NAME_OF: ReadonlyMap<number, string> = new Map(
  Object.entries(ERROR_CODE).map(([name, code]) => [code, name]),
)

/** For messages. */
export function errorName(code: number): string {
  return NAME_OF.get(code) ?? `error ${code}`
}
