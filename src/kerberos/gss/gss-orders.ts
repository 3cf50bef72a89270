/** The messages between a thread with GSSAPI and its owner. Addresses are those of C's memory, which all threads of the process share. */

/** Logs in from a keytab or a cache: a credential for clients. */
export interface LoginOrder {
  readonly kind: 'log in'
  readonly principal: string | undefined
  readonly keytab: string | undefined
  /** With a keytab: the name of a cache in memory, for the tickets. Without: that of an existing cache; undefined: the system's default. */
  readonly cache: string | undefined
}

/** Reads a keytab: a credential for a service. */
export interface ServiceOrder {
  readonly kind: 'serve'
  /** Undefined: any principal of the keytab. */
  readonly principal: string | undefined
  readonly keytab: string
}

/** A step of a client's context. */
export interface InitiateOrder {
  readonly kind: 'initiate'
  readonly credential: bigint
  /** 0 before the first step. */
  readonly context: bigint
  readonly target: string
  readonly isSpnego: boolean
  readonly token: Uint8Array
}

/** A step of a service's context. */
export interface AcceptOrder {
  readonly kind: 'accept'
  readonly credential: bigint
  readonly context: bigint
  readonly token: Uint8Array
}

export interface ReleaseOrder {
  readonly kind: 'release'
  readonly credential: bigint
  /** The cache of its tickets, destroyed where it is in memory. */
  readonly cache: string | undefined
}

/** Deletes a context that came to no end. */
export interface DropOrder {
  readonly kind: 'drop'
  readonly context: bigint
}

/** Protects a message with a finished context, or reads a protected one. The owner keeps its memory until the report. */
export interface ProtectOrder {
  readonly kind: 'wrap' | 'unwrap'
  readonly context: bigint
  readonly address: bigint
  readonly length: number
  readonly isEncrypted: boolean
}

export type Order =
  | LoginOrder
  | ServiceOrder
  | InitiateOrder
  | AcceptOrder
  | ReleaseOrder
  | DropOrder
  | ProtectOrder

export interface Sent {
  readonly id: number
  readonly order: Order
  /** In milliseconds since 1970. An order that has waited until then is not carried out. */
  readonly until: number
}

export interface Credential {
  readonly credential: bigint
  readonly principal: string
  /** Seconds until the tickets end; 0 for a service. */
  readonly seconds: number
  /** The order's cache. */
  readonly cache: string | undefined
}

export interface Step {
  /** 0 where the other side has refused, or the context was deleted. */
  readonly context: bigint
  readonly token: Uint8Array
  readonly isDone: boolean
  /** Of the other side, where a service has come to its end. */
  readonly principal: string
}

/** The other form of a message. */
export interface Message {
  readonly message: Uint8Array<ArrayBuffer>
}

export type Outcome = Credential | Step | Message | undefined

export type Report =
  | { readonly id: number; readonly outcome: Outcome }
  | { readonly id: number; readonly failure: string }
