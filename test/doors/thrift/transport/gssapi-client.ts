/** A client of the door that logs in by SASL GSSAPI, by the fake Kerberos. */

import { PROTECTIONS, type Protection, type SaslExchange } from '../../../../src/wire/sasl/sasl.ts'
import { type FakeClaim, FakeClient } from '../../../harness/fake-kerberos.ts'
import { RawClient } from './raw-client.ts'

const HEADER_BYTES = 5
const LENGTH_BYTES = 4

export function saslBytes(status: number, payload: Uint8Array | string): Buffer {
  const bytes = Buffer.from(payload as string)
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = status
  header.writeInt32BE(bytes.length, 1)
  return Buffer.concat([header, bytes])
}

export interface Answer {
  readonly status: number
  readonly text: string
}

export class GssapiClient {
  readonly raw: RawClient
  /** The answers to the login. */
  readonly answers: Answer[] = []
  /** Lengths of the frames that have come behind it. */
  readonly frames: number[] = []
  readonly #exchange: SaslExchange
  #read = 0
  #payload: Buffer = Buffer.alloc(0)

  private constructor(raw: RawClient, exchange: SaslExchange) {
    this.raw = raw
    this.#exchange = exchange
  }

  /** Logs in. Rejects where the server refuses. `from`: the client's address. */
  static async open(
    port: number,
    claim: FakeClaim | SaslExchange,
    protections: readonly Protection[] = PROTECTIONS,
    from?: string,
  ): Promise<GssapiClient> {
    const exchange = 'step' in claim ? claim : new FakeClient(claim, protections)
    const client = new GssapiClient(await RawClient.open(port, false, from), exchange)
    await client.#logIn()
    return client
  }

  async #logIn(): Promise<void> {
    this.raw.send(saslBytes(1, 'GSSAPI'))
    let { token, isDone } = await this.#exchange.step(Buffer.alloc(0))
    for (;;) {
      this.raw.send(saslBytes(isDone ? 5 : 2, token ?? ''))
      const answer = await this.answer()
      if (answer.status === 5) return
      if (answer.status !== 2) throw new Error(`refused with ${answer.status}: ${answer.text}`)
      ;({ token, isDone } = await this.#exchange.step(Buffer.from(answer.text, 'latin1')))
    }
  }

  /** The next answer of the server to the login. */
  async answer(): Promise<Answer> {
    const { raw } = this
    await raw.until(() => raw.received.length >= this.#read + HEADER_BYTES)
    const end = this.#read + HEADER_BYTES + raw.received.readInt32BE(this.#read + 1)
    await raw.until(() => raw.received.length >= end)
    const answer = {
      status: raw.received[this.#read]!,
      text: raw.received.toString('latin1', this.#read + HEADER_BYTES, end),
    }
    this.#read = end
    this.answers.push(answer)
    return answer
  }

  /** Messages in one frame, as the login has agreed. */
  frame(messages: Buffer): Buffer {
    const token = this.#exchange.layer?.wrap(messages) ?? messages
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeInt32BE(token.length)
    return Buffer.concat([length, token])
  }

  /** The first bytes of the replies, once so many have come. */
  async payload(bytes: number): Promise<Buffer> {
    await this.raw.until(() => {
      this.#readFrames()
      return this.#payload.length >= bytes
    })
    return this.#payload
  }

  #readFrames(): void {
    const { received } = this.raw
    const parts: Buffer[] = []
    while (received.length >= this.#read + LENGTH_BYTES) {
      const length = received.readInt32BE(this.#read)
      const end = this.#read + LENGTH_BYTES + length
      if (received.length < end) break
      const token = received.subarray(this.#read + LENGTH_BYTES, end)
      this.frames.push(length)
      parts.push(this.#exchange.layer?.unwrap(token) ?? token)
      this.#read = end
    }
    if (parts.length > 0) this.#payload = Buffer.concat([this.#payload, ...parts])
  }

  close(): void {
    this.raw.socket.destroy()
  }
}
