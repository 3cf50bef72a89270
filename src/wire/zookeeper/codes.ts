/** Numbers of ZooKeeper's client protocol. ON THE WIRE: never renumber. */

export const OP_CODE = {
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getAcl: 6,
  setAcl: 7,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  check: 13,
  multi: 14,
  create2: 15,
  reconfig: 16,
  checkWatches: 17,
  removeWatches: 18,
  createContainer: 19,
  deleteContainer: 20,
  createTtl: 21,
  multiRead: 22,
  auth: 100,
  setWatches: 101,
  sasl: 102,
  getEphemerals: 103,
  getAllChildrenNumber: 104,
  setWatches2: 105,
  addWatch: 106,
  whoAmI: 107,
  closeSession: -11,
} as const

/** The type of a result of a multi that stands for an error, and of the header after the last one. */
export const MULTI_ERROR = -1

/** Ids of messages outside the order of the session's requests. */
export const SPECIAL_XID = { watcherEvent: -1, ping: -2, auth: -4, setWatches: -8 } as const

/** Kinds of WatcherEvent. */
export const EVENT_TYPE = {
  nodeCreated: 1,
  nodeDeleted: 2,
  nodeDataChanged: 3,
  nodeChildrenChanged: 4,
} as const

/** The only state of a session in which a server sends an event. */
export const STATE_CONNECTED = 3

/** Modes of addWatch. */
export const ADD_WATCH_MODE = { persistent: 0, persistentRecursive: 1 } as const

/** Watches that checkWatches and removeWatches mean. */
export const WATCHER_TYPE = { children: 1, data: 2, any: 3, persistent: 4, persistentRecursive: 5 } as const

/** Bits of an access list. */
export const PERMISSION = { read: 1, all: 31 } as const

export const ERROR_CODE = {
  ok: 0,
  systemError: -1,
  /** The code of an operation of a multi after the failed one. */
  runtimeInconsistency: -2,
  connectionLoss: -4,
  marshallingError: -5,
  unimplemented: -6,
  operationTimeout: -7,
  badArguments: -8,
  noNode: -101,
  noAuth: -102,
  badVersion: -103,
  sessionExpired: -112,
  authFailed: -115,
  /** A change that was sent to a server that only reads. */
  notReadOnly: -119,
  noWatcher: -121,
  /** The server wants a login before any other request, and ends the session. */
  sessionClosedRequireAuth: -124,
} as const

const NAME_OF: ReadonlyMap<number, string> = new Map(
  Object.entries(ERROR_CODE).map(([name, code]) => [code, name]),
)

/** The error's name for messages. */
export function errorName(code: number): string {
  return NAME_OF.get(code) ?? `error ${code}`
}
