/**
 * The messages of ZooKeeper's client protocol that reading takes, as idl/zookeeper.jute has them. A message is a frame
 * (frames.ts) of one or two records: the connect request and its answer stand alone; after that a request is a
 * RequestHeader and the operation's request, an answer a ReplyHeader and, if its `err` is 0, the operation's response.
 */

import {
  BOOLEAN,
  BUFFER,
  INT,
  type JuteRecord,
  LATE_BOOLEAN,
  LONG,
  record,
  USTRING,
  vectorOf,
} from './jute-type.ts'

/** Opens a session, or takes up an old one by its id and password. */
export interface ConnectRequest {
  readonly protocolVersion: number
  /** The server refuses a client that has seen more than itself. */
  readonly lastZxidSeen: bigint
  readonly timeOut: number
  /** 0 for a new session. */
  readonly sessionId: bigint
  readonly passwd: Buffer | null
  /** Whether a server that is cut off from its quorum will do. */
  readonly readOnly: boolean
}

export interface ConnectResponse {
  readonly protocolVersion: number
  /** Milliseconds of silence after which the session ends; 0 where it has already. */
  readonly timeOut: number
  readonly sessionId: bigint
  readonly passwd: Buffer | null
  readonly readOnly: boolean
}

export interface RequestHeader {
  /** The answer bears it too; see SPECIAL_XID. */
  readonly xid: number
  readonly type: number
}

export interface ReplyHeader {
  readonly xid: number
  readonly zxid: bigint
  readonly err: number
}

export interface Stat {
  readonly czxid: bigint
  readonly mzxid: bigint
  readonly ctime: bigint
  readonly mtime: bigint
  readonly version: number
  readonly cversion: number
  readonly aversion: number
  /** The session that an ephemeral node belongs to. */
  readonly ephemeralOwner: bigint
  readonly dataLength: number
  readonly numChildren: number
  readonly pzxid: bigint
}

/** Of exists, getData, getChildren and getChildren2. */
export interface PathRequest {
  readonly path: string
  readonly watch: boolean
}

export interface ExistsResponse {
  readonly stat: Stat
}

export interface GetDataResponse {
  readonly data: Buffer | null
  readonly stat: Stat
}

export interface GetChildrenResponse {
  readonly children: readonly string[]
}

export interface GetChildren2Response {
  readonly children: readonly string[]
  readonly stat: Stat
}

/** Of sync, request and response alike. */
export interface SyncPath {
  readonly path: string
}

export interface AuthPacket {
  readonly type: number
  readonly scheme: string
  readonly auth: Buffer | null
}

export interface WatcherEvent {
  readonly type: number
  readonly state: number
  readonly path: string
}

export const CONNECT_REQUEST: JuteRecord<ConnectRequest> = record('ConnectRequest', {
  protocolVersion: INT,
  lastZxidSeen: LONG,
  timeOut: INT,
  sessionId: LONG,
  passwd: BUFFER,
  readOnly: LATE_BOOLEAN,
})

export const CONNECT_RESPONSE: JuteRecord<ConnectResponse> = record('ConnectResponse', {
  protocolVersion: INT,
  timeOut: INT,
  sessionId: LONG,
  passwd: BUFFER,
  readOnly: LATE_BOOLEAN,
})

export const REQUEST_HEADER: JuteRecord<RequestHeader> = record('RequestHeader', { xid: INT, type: INT })

export const REPLY_HEADER: JuteRecord<ReplyHeader> = record('ReplyHeader', {
  xid: INT,
  zxid: LONG,
  err: INT,
})

export const STAT: JuteRecord<Stat> = record('Stat', {
  czxid: LONG,
  mzxid: LONG,
  ctime: LONG,
  mtime: LONG,
  version: INT,
  cversion: INT,
  aversion: INT,
  ephemeralOwner: LONG,
  dataLength: INT,
  numChildren: INT,
  pzxid: LONG,
})

export const PATH_REQUEST: JuteRecord<PathRequest> = record('PathRequest', { path: USTRING, watch: BOOLEAN })

export const EXISTS_RESPONSE: JuteRecord<ExistsResponse> = record('ExistsResponse', { stat: STAT })

export const GET_DATA_RESPONSE: JuteRecord<GetDataResponse> = record('GetDataResponse', {
  data: BUFFER,
  stat: STAT,
})

export const GET_CHILDREN_RESPONSE: JuteRecord<GetChildrenResponse> = record('GetChildrenResponse', {
  children: vectorOf(USTRING),
})

export const GET_CHILDREN2_RESPONSE: JuteRecord<GetChildren2Response> = record('GetChildren2Response', {
  children: vectorOf(USTRING),
  stat: STAT,
})

export const SYNC_PATH: JuteRecord<SyncPath> = record('SyncPath', { path: USTRING })

export const AUTH_PACKET: JuteRecord<AuthPacket> = record('AuthPacket', {
  type: INT,
  scheme: USTRING,
  auth: BUFFER,
})

export const WATCHER_EVENT: JuteRecord<WatcherEvent> = record('WatcherEvent', {
  type: INT,
  state: INT,
  path: USTRING,
})
