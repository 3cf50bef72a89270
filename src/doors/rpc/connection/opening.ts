import type { Socket } from 'node:net'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import {
  AES_TRANSFORMATION,
  CryptoAesLayer,
  encodeConnectionHeaderResponse,
  isAesTransformation,
  newCryptoAesKeys,
} from '../../../wire/rpc/crypto-aes.ts'
import { encodeSaslAnswer, encodeSaslToken } from '../../../wire/rpc/sasl-answer.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { ConnectionRefused } from '../contract/connection-refused.ts'
import type { RpcServices } from '../contract/rpc-service.ts'
import type { Caller, CallsContext } from './calls.ts'
import {
  Beginning,
  type ClientIdentity,
  clusterIdAnswer,
  loadService,
  readIdentity,
  refusalOf,
} from './connection-start.ts'
import { RpcLogin, refusedLogin } from './rpc-login.ts'
import { saslRefusal } from './sasl-answers.ts'

export interface OpeningContext extends CallsContext {
  readonly services: RpcServices
  readonly clusterId: () => Promise<string>
  /** As in DoorContext. */
  readonly guard?: Guard | undefined
}

/** The connection of an opening. */
export interface Opened {
  /** Does nothing where the connection takes nothing more, nor does `begin`. */
  send(answer: Buffer): void
  /** Protects all further bytes in both directions. */
  protect(layer: SaslLayer): void
  begin(caller: Caller): void
  /** Reads on after a wait. */
  goOn(): void
  /** Takes nothing more from the client, and ends once `answer` has come with a last answer. */
  endWith(answer: Promise<Buffer> | Buffer): void
  /** Ends the connection for an error that belongs to no call. */
  fail(error: unknown): void
}

/** The part of a connection before its calls: the preamble, the login, the connection header. */
export class Opening {
  readonly #socket: Socket
  readonly #context: OpeningContext
  readonly #opened: Opened
  readonly #beginning = new Beginning()
  /** Undefined where clients need not log in. */
  readonly #login: RpcLogin | undefined
  /** The code of a preamble behind which the client's next message is one of SASL. */
  #saslCode: number | undefined
  /** True while the client's login is checked, or its service is loaded. Nothing is read meanwhile. */
  isWaiting = false

  constructor(socket: Socket, context: OpeningContext, opened: Opened) {
    this.#socket = socket
    this.#context = context
    this.#opened = opened
    const { guard, door } = context
    this.#login = guard && new RpcLogin(guard, socket, door)
  }

  /** Longest frame of the opening, in bytes. */
  get frameBytesMax(): number {
    return this.#login?.frameBytesMax ?? this.#context.limits.requestBytesMax
  }

  get hasPreamble(): boolean {
    return this.#beginning.hasPreamble
  }

  /** True once a preamble has come. */
  get hasBegun(): boolean {
    return this.#beginning.hasBegun
  }

  /** False where nothing more is read. Throws ConnectionRefused. */
  takePreamble(bytes: Buffer): boolean {
    const outcome = this.#beginning.take(bytes, this.#login)
    if (outcome.kind === 'registry') {
      this.#opened.endWith(this.#context.clusterId().then(clusterIdAnswer).catch(refusalOf))
      return false
    }
    if (outcome.kind === 'go on') this.#login?.byCertificate()
    if (outcome.kind === 'log in') this.#saslCode = outcome.code
    if (outcome.answer !== undefined) this.#opened.send(outcome.answer)
    return true
  }

  /** Takes a message of SASL, or the connection header. Throws ConnectionRefused, and what a malformed header throws. */
  takeFrame(frame: Buffer): void {
    const beginning = this.#beginning
    if (beginning.skipsFrame) beginning.skipsFrame = false
    else if (this.#saslCode !== undefined) void this.#logIn(this.#login!, this.#saslCode, frame)
    else this.#takeHeader(frame)
  }

  async #logIn(login: RpcLogin, code: number, message: Buffer): Promise<void> {
    try {
      const { token, isDone } = await this.#waitingFor(login.step(code, message))
      if (token !== undefined) this.#opened.send(encodeSaslAnswer({ kind: 'token', token }))
      if (isDone) this.#loggedIn(login)
      this.#opened.goOn()
    } catch (error) {
      this.#opened.endWith(saslRefusal(error))
    }
  }

  #loggedIn({ layer }: RpcLogin): void {
    this.#saslCode = undefined
    if (layer !== undefined) this.#opened.protect(layer)
  }

  /** Waits for `work`, and takes nothing from the client meanwhile. */
  #waitingFor<T>(work: Promise<T>): Promise<T> {
    this.isWaiting = true
    return work.finally(() => (this.isWaiting = false))
  }

  #takeHeader(frame: Buffer): void {
    const identity = readIdentity(frame)
    const { forwarding, services } = this.#context
    const header = forwarding && Buffer.from(frame)
    const methods = this.#login === undefined ? loadService(services, identity) : undefined
    if (methods === undefined || methods instanceof Promise) void this.#welcome(identity, header)
    else this.#opened.begin({ identity, methods, header })
  }

  /** Finds the client's user where clients must log in, loads the service that it names, then begins its calls. */
  async #welcome(identity: ClientIdentity, header: Buffer | undefined): Promise<void> {
    try {
      if (this.#login !== undefined) {
        SocketCall.loggedIn(this.#socket, await this.#waitingFor(this.#login.userOf(identity)))
        if (identity.cipher !== '' && this.#login.takesAes) this.#encryptByAes(identity.cipher)
      }
      const { services } = this.#context
      const methods = await this.#waitingFor(Promise.resolve(loadService(services, identity)))
      this.#opened.begin({ identity, methods, header })
      this.#opened.goOn()
    } catch (error) {
      this.#opened.fail(refusedLogin(error))
    }
  }

  /** The answer with the keys is still protected as the login has agreed. HBase: ServerRpcConnection.sendConnectionHeaderResponseIfNeeded. */
  #encryptByAes(cipher: string): void {
    if (!isAesTransformation(cipher))
      throw new ConnectionRefused(
        'UnsupportedCryptoException',
        `${AES_TRANSFORMATION} is required, not ${cipher}`,
      )
    const keys = newCryptoAesKeys()
    this.#opened.send(encodeSaslToken(encodeConnectionHeaderResponse(keys)))
    this.#opened.protect(new CryptoAesLayer(keys))
  }

  /** The last answer for an error that belongs to no call: in the form that the client expects now. */
  refusalOf(error: unknown): Buffer {
    return this.#saslCode === undefined ? refusalOf(error) : saslRefusal(error)
  }

  /** The connection has ended. */
  close(): void {
    this.#login?.close()
  }
}
