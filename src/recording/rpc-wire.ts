/** HBase's native RPC, of clients without a login: SIMPLE authentication. */

import { Field } from '../wire/rpc/field.ts'
import { MessageReader } from '../wire/rpc/message-reader.ts'
import { MessageWriter } from '../wire/rpc/message-writer.ts'
import { RemoteException } from '../wire/rpc/remote-exception.ts'
import { readRequest } from '../wire/rpc/request-frame.ts'
import { ResponseFrame, writeExceptionResponse } from '../wire/rpc/response-frame.ts'
import { type Cutter, FrameCutter, REFUSAL, type Wire, withoutTimes } from './protocol.ts'

/** The preamble: `HBas`, the version, and the kind of authentication. */
const PREAMBLE_BYTES = 6
const SIMPLE = 80
const CALL_ID = 1

/** Fields with random numbers of a client. `true`: the field is left out; an object: fields of the message within. */
interface Chance {
  readonly [field: number]: Chance | true
}

const MUTATION: Chance = { [Field.Mutation.nonce]: true }
const CHANCE: Readonly<Record<string, Chance>> = {
  Mutate: { 2: MUTATION, 4: true },
  Multi: { 1: { 3: { 2: MUTATION } }, 2: true },
  CreateTable: { 3: true, 4: true },
  ModifyTable: { 3: true, 4: true },
  TruncateTable: { 3: true, 4: true },
  DeleteTable: { 2: true, 3: true },
  EnableTable: { 2: true, 3: true },
  DisableTable: { 2: true, 3: true },
  CreateNamespace: { 2: true, 3: true },
  ModifyNamespace: { 2: true, 3: true },
  DeleteNamespace: { 2: true, 3: true },
}

export const RPC: Wire = {
  name: 'rpc',
  hasStart: true,
  conversation: (begin, bytesMax) => {
    if (begin.length < PREAMBLE_BYTES) return 'more'
    if (begin.toString('latin1', 0, 4) !== 'HBas' || begin[PREAMBLE_BYTES - 1] !== SIMPLE) return undefined
    return { requests: new StartCutter(bytesMax), answers: new FrameCutter(bytesMax) }
  },
  idOf: (message, side) => {
    if (side === 'request') return readRequest(message, 4, message.length).callId
    return readAnswer(message).callId
  },
  isAnswered: () => true,
  isEvent: (answer) => readAnswer(answer).concernsConnection,
  redacted: (message) => message,
  keyOf: (request) => {
    const { method, parameter, cells } = readRequest(request, 4, request.length)
    const parts: Buffer[] = []
    if (parameter !== undefined)
      copyWithout(new MessageReader(request, parameter.start, parameter.end), CHANCE[method] ?? {}, parts)
    const { buffer, start, end } = cells
    return `${method} ${Buffer.concat(parts).toString('latin1')} ${buffer.toString('latin1', start, end)}`
  },
  answerTo: (request, { answer }) => {
    const { callId } = readRequest(request, 4, request.length)
    const frame = new MessageReader(answer, 4)
    const header = frame.delimited()
    const parts: Buffer[] = []
    copyWithout(header, { [CALL_ID]: true }, parts)
    const writer = new MessageWriter()
    const start = writer.beginFrame()
    const headerStart = writer.beginDelimited()
    writer.uint32(CALL_ID, callId)
    for (const part of parts) writer.raw(part)
    writer.end(headerStart)
    writer.raw(answer.subarray(frame.at))
    writer.endFrame(start)
    return writer.take()
  },
  refusal: (request) => {
    const writer = new MessageWriter()
    const { callId, method } = readRequest(request, 4, request.length)
    const javaClass = 'org.apache.hadoop.hbase.DoNotRetryIOException'
    const stackTrace = `${javaClass}: ${REFUSAL}: ${method}`
    const exception = new RemoteException({ javaClass, stackTrace, doNotRetry: true })
    writeExceptionResponse(writer, callId, exception)
    return writer.take()
  },
  masked: (answer) => {
    const { exception, messageStart } = readAnswer(answer)
    // The text of an exception contains the server's stack.
    if (exception !== undefined) return Buffer.from(`exception ${exception.javaClass}`)
    return withoutTimes(answer.subarray(messageStart))
  },
}

function readAnswer(message: Buffer): ResponseFrame {
  const frame = new ResponseFrame()
  frame.read(message, 4, message.length)
  return frame
}

/** Copies the fields that are not random, with their tags. */
function copyWithout(reader: MessageReader, chance: Chance, parts: Buffer[]): void {
  for (let start = reader.at; reader.next(); start = reader.at) {
    const rule = chance[reader.field]
    if (rule !== undefined && rule !== true) {
      parts.push(Buffer.from(`<${reader.field}`))
      copyWithout(reader.message(), rule, parts)
      parts.push(Buffer.from('>'))
      continue
    }
    reader.skip()
    if (rule === undefined) parts.push(reader.buffer.subarray(start, reader.at))
  }
}

/** Takes the preamble and the connection's header as the first message. */
class StartCutter implements Cutter {
  readonly #frames: FrameCutter
  #preamble: Buffer | undefined = Buffer.alloc(0)

  constructor(bytesMax?: number) {
    this.#frames = new FrameCutter(bytesMax)
  }

  push(bytes: Buffer): Buffer[] {
    let rest = bytes
    if (this.#preamble !== undefined && this.#preamble.length < PREAMBLE_BYTES) {
      const missing = PREAMBLE_BYTES - this.#preamble.length
      this.#preamble = Buffer.concat([this.#preamble, bytes.subarray(0, missing)])
      rest = bytes.subarray(missing)
    }
    const frames = this.#frames.push(rest)
    const first = frames[0]
    if (this.#preamble === undefined || first === undefined) return frames
    frames[0] = Buffer.concat([this.#preamble, first])
    this.#preamble = undefined
    return frames
  }
}
