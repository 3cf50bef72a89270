/** Messages of servers at the login of a client of native RPC, and the protected messages behind it: whole, and torn. */

import { StartReader } from '../../adapters/hbase/rpc/start-reader.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import {
  type CryptoAesKeys,
  CryptoAesLayer,
  decodeConnectionHeaderResponse,
  encodeConnectionHeaderResponse,
} from '../../src/wire/rpc/crypto-aes.ts'
import { FrameReader } from '../../src/wire/rpc/frame-reader.ts'
import { FrameTooLarge } from '../../src/wire/rpc/frame-too-large.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../src/wire/rpc/remote-exception.ts'
import { writeExceptionResponse } from '../../src/wire/rpc/response-frame.ts'
import { decodeSaslAnswer, encodeSaslAnswer } from '../../src/wire/rpc/sasl-answer.ts'
import { decodePrincipalAnswer, encodePrincipalAnswer } from '../../src/wire/rpc/security-preamble.ts'
import { WrappedReader, wrapInPieces } from '../../src/wire/rpc/wrapped-frames.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'

const KEYS: CryptoAesKeys = {
  inKey: Buffer.alloc(16, 1),
  inIv: Buffer.alloc(16, 2),
  outKey: Buffer.alloc(16, 3),
  outIv: Buffer.alloc(16, 4),
}
const OF_SERVER: CryptoAesKeys = {
  inKey: KEYS.outKey,
  inIv: KEYS.outIv,
  outKey: KEYS.inKey,
  outIv: KEYS.inIv,
}
const FRAME_BYTES_MAX = 64 * 1024
const PIECE_BYTES = 7

function isRefusal(error: unknown): boolean {
  return isHBaseError(error) || error instanceof FrameTooLarge
}

function refusal(): Buffer {
  const writer = new MessageWriter()
  const javaClass = 'org.apache.hadoop.hbase.ipc.FatalConnectionException'
  const stackTrace = `${javaClass}: Expected HEADER=HBas`
  writeExceptionResponse(writer, 0xffffffff, new RemoteException({ javaClass, stackTrace, doNotRetry: true }))
  return Buffer.from(writer.take())
}

/** Two messages: a frame and the beginning of another, then the rest. */
function protectedBytes(): Buffer {
  const layer = new CryptoAesLayer(OF_SERVER)
  const bytes = [Buffer.from('00000003616263000000', 'hex'), Buffer.from('0278', 'hex'), Buffer.from('79')]
  return Buffer.concat(
    bytes.flatMap((each) => [...wrapInPieces(layer, each)].flatMap(({ length, token }) => [length, token])),
  )
}

function readProtected(input: Buffer): number {
  let bytes = 0
  const reader = new WrappedReader(new CryptoAesLayer(KEYS), FRAME_BYTES_MAX, (_, start, end) => {
    bytes += end - start
  })
  const tokens = new FrameReader(LIMITS.requestBytesMax, (buffer, start, end) =>
    reader.take(buffer.subarray(start, end)),
  )
  for (let at = 0; at < input.length; at += PIECE_BYTES) tokens.push(input.subarray(at, at + PIECE_BYTES))
  return bytes
}

function same(message: Buffer): Buffer {
  return Buffer.from(message)
}

/** The lengths within protected messages are the server's, too. */
function readUnprotected(input: Buffer): void {
  const layer = { protection: 'integrity', wrap: same, unwrap: same } as const
  const reader = new WrappedReader(layer, FRAME_BYTES_MAX, () => undefined)
  for (let at = 0; at < input.length; at += PIECE_BYTES) reader.take(input.subarray(at, at + PIECE_BYTES))
}

function readInPieces(input: Buffer): void {
  const reader = new StartReader()
  // Refusals are those of the decoder by itself.
  reader.next(decodeSaslAnswer).catch(() => undefined)
  for (let at = 0; at < input.length; at += PIECE_BYTES) reader.push(input.subarray(at, at + PIECE_BYTES))
  reader.takeRest()
}

export const rpcLogin: FuzzTarget = {
  name: 'rpc-login',
  seeds: () => [
    encodeSaslAnswer({ kind: 'token', token: Buffer.from('a token') }),
    encodeSaslAnswer({ kind: 'simple' }),
    encodeSaslAnswer({ kind: 'refused', javaClass: 'javax.security.sasl.SaslException', message: 'no' }),
    refusal(),
    Buffer.from(encodePrincipalAnswer('hbase/host@REALM')),
    encodeConnectionHeaderResponse(OF_SERVER),
    protectedBytes(),
    Buffer.from('00000003616263000000027879', 'hex'),
  ],
  run: (input) =>
    tryEach(
      input,
      [
        decodeSaslAnswer,
        decodePrincipalAnswer,
        (message) => {
          const keys = decodeConnectionHeaderResponse(message)
          return keys === undefined ? 0 : new CryptoAesLayer(keys)
        },
        readProtected,
        readUnprotected,
        readInPieces,
      ],
      isRefusal,
    ),
  isRefusal,
}
