import type { ConnectionOrigin } from '../../connections/connection-origin.ts'

/** A client behind a trusted proxy. */
export interface ProxiedClient {
  readonly address: string
  /** The address of the proxy. */
  readonly proxy: string
  /** Undefined where the proxy does not say. */
  readonly isEncrypted?: boolean | undefined
}

/** The door and the client's end of a login. Every login needs one, and every one has the origin of its connection. */
export class LoginPlace {
  readonly door: string
  readonly connection: ConnectionOrigin
  /** The client's address; empty where it had gone before the door took its connection. */
  readonly address: string
  /** The address of the trusted proxy that names the client; undefined where the client connects directly. */
  readonly via: string | undefined
  /** Whether the client's own connection, to this server or to a trusted proxy, is encrypted. */
  readonly isEncrypted: boolean

  constructor(connection: ConnectionOrigin, door: string, proxied?: ProxiedClient) {
    this.door = door
    this.connection = connection
    this.address = proxied?.address ?? connection.address ?? ''
    this.via = proxied?.proxy
    this.isEncrypted = proxied?.isEncrypted ?? connection.isEncrypted
  }
}
