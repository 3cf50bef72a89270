/**
 * The messages of ZooKeeper's client protocol of a connection and of plain reads, from idl/zookeeper.jute; server-records.ts has the
 * others. A message is a frame (frames.ts) of one or two records. The connect request and its answer are single records. A later request is
 * a RequestHeader and the operation's request. Its answer is a ReplyHeader and, if its `err` is 0, the operation's response.
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

/** Opens a session, or continues one by its id and password. */
export interface ConnectRequest {
  readonly protocolVersion: number
  /** A server that is behind this transaction refuses the client. */
  readonly lastZxidSeen: bigint
  readonly timeOut: number
  /** 0 for a new session. */
  readonly sessionId: bigint
  readonly passwd: Buffer | null
  /** Whether the client accepts a server that is cut off from its quorum. */
  readonly readOnly: boolean
}

export interface ConnectResponse {
  readonly protocolVersion: number
  /** Milliseconds of silence that end the session; 0 for a session that has ended. */
  readonly timeOut: number
  readonly sessionId: bigint
  readonly passwd: Buffer | null
  readonly readOnly: boolean
}

export interface RequestHeader {
  /** The answer repeats it; see SPECIAL_XID. */
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

/** The request of exists, getData, getChildren and getChildren2. */
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

/** The request and the response of sync. */
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
