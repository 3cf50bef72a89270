import type { Principal } from '../../../store/call.ts'
import { SaslFailure, type SaslLayer, type SaslServer, type SaslStep } from '../../../wire/sasl/sasl.ts'

/** Messages of one login: Kerberos has 3, DIGEST-MD5 has 2. */
const MESSAGES_MAX = 10

/** A client whose buffer takes fewer bytes of a message would cost a call of the library for every few bytes. */
const BUFFER_BYTES_MIN = 1024

/** A mechanism of SASL that takes several messages. */
export interface LoginMechanism {
  readonly server: SaslServer
  /** The user of the name that the client has proved. Throws where the name is that of no user here. */
  principalOf(proved: string): Principal
  /** Reports a login that failed before the client had proved its name. */
  failed(error: unknown): void
}

/** The server's side of one client's login by a mechanism with several messages. */
export class SaslLogin {
  readonly #mechanism: LoginMechanism
  #messages = 0
  #isDone = false
  #isRunning = false
  #isClosed = false
  #principal: Principal | undefined
  #refusal: unknown

  constructor(mechanism: LoginMechanism) {
    this.#mechanism = mechanism
  }

  /** Takes the client's next message. Rejects with the refusal. */
  async step(message: Buffer): Promise<SaslStep> {
    const { server } = this.#mechanism
    try {
      if (++this.#messages > MESSAGES_MAX)
        throw new SaslFailure(`a login of more than ${MESSAGES_MAX} messages`)
      const step = await this.#run(() => server.step(message))
      if (this.#isClosed) return { token: undefined, isDone: false }
      if (step.isDone) this.#end()
      return step
    } catch (error) {
      this.#mechanism.failed(error)
      throw error
    }
  }

  async #run(step: () => Promise<SaslStep>): Promise<SaslStep> {
    this.#isRunning = true
    try {
      return await step()
    } finally {
      this.#isRunning = false
      if (this.#isClosed) this.#mechanism.server.close()
    }
  }

  #end(): void {
    const { authenticated, authorized, layer } = this.#mechanism.server
    checkBuffer(layer)
    // HBase: the callbacks of GssSaslServerAuthenticationProvider. A client states the user for whom it acts in its connection header.
    if (authorized !== '' && authorized !== authenticated)
      throw new SaslFailure(`${authenticated} is not authorized to connect as ${authorized}`)
    this.#isDone = true
    try {
      this.#principal = this.#mechanism.principalOf(authenticated)
    } catch (error) {
      // The client takes its login for done, and understands a refusal only as an answer to its connection header.
      this.#refusal = error
    }
  }

  /** Once the login is done: the name that the client has proved. */
  get proved(): string {
    return this.#mechanism.server.authenticated
  }

  /** Once the login is done: the user. Throws where the client has proved its name and is no user here. */
  get principal(): Principal {
    if (this.#principal === undefined) throw this.#refusal
    return this.#principal
  }

  /** Once the login is done: undefined where messages go as they are. */
  get layer(): SaslLayer | undefined {
    return this.#isDone ? this.#mechanism.server.layer : undefined
  }

  /** Gives the memory back, once a step that runs has ended. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (!this.#isRunning) this.#mechanism.server.close()
  }
}

/** Throws SaslFailure where the buffer that the client has stated takes too few bytes of a message. */
function checkBuffer({ messageBytesMax = BUFFER_BYTES_MIN }: Pick<SaslLayer, 'messageBytesMax'> = {}): void {
  if (messageBytesMax < BUFFER_BYTES_MIN)
    throw new SaslFailure(
      `the client's buffer takes ${messageBytesMax} bytes of a message, of at least ${BUFFER_BYTES_MIN}`,
    )
}
