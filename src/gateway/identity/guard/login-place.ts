import type { ConnectionOrigin } from '../../connections/connection-origin.ts'

/** The client of a trusted proxy. */
export interface ProxiedClient {
  readonly address: string
  /** The proxy's own address. */
  readonly proxy: string
}

/** The door and the other end of a login. The guard lets nobody in without one, and none is made without a connection's origin. */
export class LoginPlace {
  readonly door: string
  readonly connection: ConnectionOrigin
  /** The client's address; empty where it had gone before the door took its connection. */
  readonly address: string
  /** The address of the trusted proxy that names the client; undefined: the client's connection ends here. */
  readonly via: string | undefined

  constructor(connection: ConnectionOrigin, door: string, proxied?: ProxiedClient) {
    this.door = door
    this.connection = connection
    this.address = proxied?.address ?? connection.address ?? ''
    this.via = proxied?.proxy
  }
}
