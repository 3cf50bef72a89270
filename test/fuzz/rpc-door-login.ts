/** Messages of clients at the login of the native RPC door, as one stream each: preambles, messages of SASL, the connection header, protected calls. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { create, toBinary } from '@bufbuild/protobuf'
import { pino } from 'pino'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { startRpcDoor } from '../../src/doors/rpc/rpc-door.ts'
import { advertised } from '../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../src/gateway/door.ts'
import type { DelegationTokens } from '../../src/gateway/identity/delegation/delegation-tokens.ts'
import { InvalidToken } from '../../src/gateway/identity/delegation/invalid-token.ts'
import { Guard } from '../../src/gateway/identity/guard/guard.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import type { Store } from '../../src/store/store.ts'
import { KEY_VALUE_CODEC } from '../../src/wire/rpc/connection-preamble.ts'
import { ConnectionHeaderSchema } from '../../src/wire/rpc/gen/rpc_pb.ts'
import { DigestMd5Server } from '../../src/wire/sasl/digest-md5-server.ts'
import { PROTECTIONS } from '../../src/wire/sasl/sasl.ts'
import { FakeLayer, FakeService, fakeLogins } from '../harness/fake-kerberos.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { AuthCode, behindLength } from '../harness/sasl-talk.ts'
import { rpcConversations } from './rpc-conversations.ts'

const PRINCIPAL = 'alice@TEST'
/** Bytes of a preamble, behind which a conversation has its connection header. */
const PREAMBLE_BYTES = 6
const CONVERSATIONS = 40
const ENDS_MS_MAX = 5000
/** The guard's time between two looks at its clock: no login waits for an earlier one that has failed. */
const WAIT_MS = 60_000

function preamble(code: number): Buffer {
  return Buffer.from([...Buffer.from('HBas'), 0, code])
}

function header(cipher: string): Buffer {
  const message = create(ConnectionHeaderSchema, {
    userInfo: { effectiveUser: PRINCIPAL },
    serviceName: 'ClientService',
    cellBlockCodecClass: KEY_VALUE_CODEC,
    rpcCryptoCipherTransformation: cipher,
  })
  return behindLength(Buffer.from(toBinary(ConnectionHeaderSchema, message)))
}

/** A client by a ticket does not wait for the answers, so that one stream has all of its messages. */
function ticketLogin(protection: (typeof PROTECTIONS)[number], rest: Buffer): Buffer {
  const claim = { principal: PRINCIPAL, protection, bytesMax: 65_536 }
  const steps = [Buffer.from('ticket'), Buffer.alloc(0), Buffer.from(JSON.stringify(claim))]
  const layer = protection === 'authentication' ? undefined : new FakeLayer(protection, 0, undefined)
  const protectedRest = layer === undefined ? rest : behindLength(layer.wrap(rest))
  return Buffer.concat([preamble(AuthCode.kerberos), ...steps.map(behindLength), protectedRest])
}

function seeds(): readonly Buffer[] {
  const calls = rpcConversations().filter((_, at) => at % CONVERSATIONS === 0)
  const rests = [
    header(''),
    header('AES/CTR/NoPadding'),
    ...calls.map((call) => call.subarray(PREAMBLE_BYTES)),
  ]
  const response = Buffer.from(
    'charset=utf-8,username="YQ==",realm="default",nonce="x",nc=00000001,cnonce="y",digest-uri="/default",response=00,qop=auth',
  )
  return [
    Buffer.from('Regist'),
    Buffer.concat([Buffer.from('Securi'), ticketLogin('privacy', header(''))]),
    Buffer.concat([Buffer.from('Securi'), Buffer.from('Securi')]),
    Buffer.concat([preamble(AuthCode.digest), behindLength(Buffer.alloc(0)), behindLength(response)]),
    Buffer.concat([preamble(AuthCode.simple), header('')]),
    ...PROTECTIONS.flatMap((protection) => rests.map((rest) => ticketLogin(protection, rest))),
  ]
}

function passwordOf(): Promise<never> {
  return Promise.reject(new InvalidToken('Token has expired'))
}

function tokens(): DelegationTokens {
  return {
    belongTo: () => undefined,
    digestServer: (protections) => new DigestMd5Server({ protections, passwordOf }),
    userOf: () => 'alice',
    issue: () => Promise.reject(new InvalidToken('none is issued')),
    close: () => undefined,
  }
}

/** A door in this process: what it throws outside of a connection ends the run. */
class LoginDoor {
  readonly #service: FakeService
  readonly #memory: MemoryBudget
  readonly #door: Door
  readonly #store: Store

  private constructor(parts: { service: FakeService; memory: MemoryBudget; door: Door; store: Store }) {
    this.#service = parts.service
    this.#memory = parts.memory
    this.#door = parts.door
    this.#store = parts.store
  }

  static async open(): Promise<LoginDoor> {
    let now = 0
    const [service, memory] = [new FakeService(), new MemoryBudget()]
    const store = openMemoryStore({ clock: Date })
    const logger = pino({ enabled: false })
    const logins = { rpcPrincipal: 'hbase/localhost@TEST', takesAes: true }
    const kerberos = { ...fakeLogins(service, PROTECTIONS), ...logins }
    const guard = new Guard({ certificates: false }, logger, {
      kerberos,
      delegation: tokens(),
      now: () => (now += WAIT_MS),
    })
    const server = { host: '127.0.0.1', port: 0, startCode: 1 }
    const limits = { ...DEFAULT_LIMITS, requestBytesMax: 1_000_000 }
    const context = { store: advertised(store, server), server, limits, memory, logger, guard }
    const door = await startRpcDoor(context, { host: '127.0.0.1', port: 0 })
    return new LoginDoor({ service, memory, door, store })
  }

  /** The bytes of the answers, once the connection has ended and given its memory back. */
  async take(input: Buffer): Promise<Buffer> {
    const socket = connect(this.#door.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const answers: Buffer[] = []
    socket.on('data', (bytes: Buffer) => answers.push(bytes))
    const timer = setTimeout(() => socket.destroy(new Error('late')), ENDS_MS_MAX)
    const ended = once(socket, 'close')
    socket.end(input)
    await ended
    clearTimeout(timer)
    if (socket.errored?.message === 'late')
      throw new Error('a connection that its client has ended is still open')
    for (let turn = 0; turn < 1000 && !this.#isAtRest; turn++) await new Promise(setImmediate)
    if (!this.#isAtRest)
      throw new Error(`${this.#service.open} logins and ${this.#memory.granted} bytes are not given back`)
    return Buffer.concat(answers)
  }

  get #isAtRest(): boolean {
    return this.#service.open === 0 && this.#memory.granted === 0
  }

  async close(): Promise<void> {
    await this.#door.close()
    await this.#store.close()
  }
}

let door: LoginDoor | undefined

export const rpcDoorLogin: FuzzTarget = {
  name: 'rpc-door-login',
  seeds,
  start: async () => {
    door = await LoginDoor.open()
  },
  run: (input) => door!.take(input),
  stop: () => door!.close(),
}
