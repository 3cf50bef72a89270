import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { writeExceptionResponse, writeResponse } from '../../../src/wire/rpc/response-frame.ts'
import { decodeSaslAnswer, encodeSaslAnswer, type SaslAnswer } from '../../../src/wire/rpc/sasl-answer.ts'
import { SaslFailure } from '../../../src/wire/sasl/sasl.ts'
import { anyBytes } from '../../model/arbitrary-cells.ts'

const anyAnswer = fc.oneof(
  anyBytes(0, 3000).map((token): SaslAnswer => ({ kind: 'token', token: Buffer.from(token) })),
  fc.constant<SaslAnswer>({ kind: 'simple' }),
  fc
    .tuple(fc.string(), fc.string({ unit: 'grapheme' }))
    .map(([javaClass, message]): SaslAnswer => ({ kind: 'refused', javaClass, message })),
)

describe("a server's answer to a login", () => {
  test('is read as it was written, and not before it is whole', () => {
    fc.assert(
      fc.property(anyAnswer, anyBytes(0, 20), (answer, rest) => {
        const bytes = encodeSaslAnswer(answer)
        const decoded = decodeSaslAnswer(Buffer.concat([bytes, rest]))
        expect(decoded).toEqual({ value: answer, bytes: bytes.length })
        for (let end = 0; end < bytes.length; end++)
          expect(decodeSaslAnswer(bytes.subarray(0, end))).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })

  test('may be a response, whose exception is the refusal', () => {
    const writer = new MessageWriter()
    const javaClass = 'org.apache.hadoop.hbase.ipc.BadAuthException'
    const stackTrace = `${javaClass}: authMethod=81`
    writeExceptionResponse(
      writer,
      0xffffffff,
      new RemoteException({ javaClass, stackTrace, doNotRetry: true }),
    )
    const bytes = Buffer.from(writer.take())
    expect(decodeSaslAnswer(bytes)).toEqual({
      value: { kind: 'refused', javaClass, message: 'authMethod=81' },
      bytes: bytes.length,
    })
    expect(decodeSaslAnswer(bytes.subarray(0, -1))).toBeUndefined()
  })

  test('of null has no text', () => {
    const bytes = Buffer.from('00000001ffffffffffffffff', 'hex')
    expect(decodeSaslAnswer(bytes)?.value).toEqual({ kind: 'refused', javaClass: '', message: '' })
  })

  test('is refused where it is malformed', () => {
    const writer = new MessageWriter()
    writeResponse(writer, 3, () => undefined)
    for (const bytes of [
      Buffer.from('0000000000100001', 'hex'),
      Buffer.from('00000000ffffffa7', 'hex'),
      Buffer.from('00000001fffffffe', 'hex'),
      Buffer.from('ffffffff00000000', 'hex'),
      Buffer.from('HTTP/1.1 400 Bad Request'),
      Buffer.from('00000004ffffffff', 'hex'),
      writer.take(),
    ])
      expect(() => decodeSaslAnswer(bytes)).toThrow(SaslFailure)
  })
})
