/** The messages of ZooKeeper's client protocol about watches, access lists and several operations at once, from idl/zookeeper.jute. */

import { BOOLEAN, BUFFER, INT, type JuteRecord, LONG, record, USTRING, vectorOf } from './jute-type.ts'
import { STAT, type Stat } from './records.ts'

export interface Id {
  readonly scheme: string
  readonly id: string
}

export interface Acl {
  /** Bits of PERMISSION. */
  readonly perms: number
  readonly id: Id
}

export interface GetAclResponse {
  readonly acl: readonly Acl[]
  readonly stat: Stat
}

/** The request of check, which only a multi has. */
export interface CheckVersionRequest {
  readonly path: string
  /** -1: any. */
  readonly version: number
}

/** Before each operation of a multi and its result; `done` after the last one. */
export interface MultiHeader {
  readonly type: number
  readonly done: boolean
  readonly err: number
}

export interface ErrorResponse {
  readonly err: number
}

/** The request of checkWatches and removeWatches. */
export interface WatcherTypeRequest {
  readonly path: string
  /** One of WATCHER_TYPE. */
  readonly type: number
}

export interface AddWatchRequest {
  readonly path: string
  /** One of ADD_WATCH_MODE. */
  readonly mode: number
}

/** The watches that a client had on its last connection. */
export interface SetWatches {
  /** The last transaction that the client has seen: later changes fire at once. */
  readonly relativeZxid: bigint
  readonly dataWatches: readonly string[]
  readonly existWatches: readonly string[]
  readonly childWatches: readonly string[]
}

export interface SetWatches2 extends SetWatches {
  readonly persistentWatches: readonly string[]
  readonly persistentRecursiveWatches: readonly string[]
}

/** The request and the response of sasl. */
export interface SaslToken {
  readonly token: Buffer | null
}

export interface GetAllChildrenNumberResponse {
  readonly totalNumber: number
}

export interface ClientInfo {
  readonly authScheme: string
  readonly user: string
}

export interface WhoAmIResponse {
  readonly clientInfo: readonly ClientInfo[]
}

export const ID: JuteRecord<Id> = record('Id', { scheme: USTRING, id: USTRING })

export const ACL: JuteRecord<Acl> = record('ACL', { perms: INT, id: ID })

export const GET_ACL_RESPONSE: JuteRecord<GetAclResponse> = record('GetACLResponse', {
  acl: vectorOf(ACL),
  stat: STAT,
})

export const CHECK_VERSION_REQUEST: JuteRecord<CheckVersionRequest> = record('CheckVersionRequest', {
  path: USTRING,
  version: INT,
})

export const MULTI_HEADER: JuteRecord<MultiHeader> = record('MultiHeader', {
  type: INT,
  done: BOOLEAN,
  err: INT,
})

export const ERROR_RESPONSE: JuteRecord<ErrorResponse> = record('ErrorResponse', { err: INT })

export const WATCHER_TYPE_REQUEST: JuteRecord<WatcherTypeRequest> = record('WatcherTypeRequest', {
  path: USTRING,
  type: INT,
})

export const ADD_WATCH_REQUEST: JuteRecord<AddWatchRequest> = record('AddWatchRequest', {
  path: USTRING,
  mode: INT,
})

const PATHS = vectorOf(USTRING)

export const SET_WATCHES: JuteRecord<SetWatches> = record('SetWatches', {
  relativeZxid: LONG,
  dataWatches: PATHS,
  existWatches: PATHS,
  childWatches: PATHS,
})

export const SET_WATCHES2: JuteRecord<SetWatches2> = record('SetWatches2', {
  relativeZxid: LONG,
  dataWatches: PATHS,
  existWatches: PATHS,
  childWatches: PATHS,
  persistentWatches: PATHS,
  persistentRecursiveWatches: PATHS,
})

export const SASL_TOKEN: JuteRecord<SaslToken> = record('SaslToken', { token: BUFFER })

export const GET_ALL_CHILDREN_NUMBER_RESPONSE: JuteRecord<GetAllChildrenNumberResponse> = record(
  'GetAllChildrenNumberResponse',
  { totalNumber: INT },
)

export const CLIENT_INFO: JuteRecord<ClientInfo> = record('ClientInfo', {
  authScheme: USTRING,
  user: USTRING,
})

export const WHO_AM_I_RESPONSE: JuteRecord<WhoAmIResponse> = record('WhoAmIResponse', {
  clientInfo: vectorOf(CLIENT_INFO),
})
