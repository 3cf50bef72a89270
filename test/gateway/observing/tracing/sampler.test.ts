import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SamplerName, samplerOf } from '../../../../src/gateway/observing/tracing/sampler.ts'
import { joinedTrace, readTrace, traceHeaders, writtenTrace } from '../../../../src/model/trace-context.ts'
import { MessageReader } from '../../../../src/wire/rpc/message-reader.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import { readTraceInfo, writeTraceInfo } from '../../../../src/wire/rpc/trace-info.ts'

const LOW = `${'0'.repeat(18)}${'0'.repeat(13)}1`
const HIGH = 'f'.repeat(32)

test.each<[SamplerName, number, string, boolean | undefined, boolean]>([
  ['always_on', 1, LOW, false, true],
  ['always_off', 1, HIGH, true, false],
  ['parentbased_always_on', 1, LOW, undefined, true],
  ['parentbased_always_on', 1, LOW, false, false],
  ['parentbased_always_off', 1, HIGH, undefined, false],
  ['parentbased_always_off', 1, HIGH, true, true],
  ['traceidratio', 0.5, LOW, true, false],
  ['traceidratio', 0.5, HIGH, false, true],
  ['traceidratio', 0, HIGH, undefined, false],
  ['traceidratio', 1, LOW, undefined, true],
  ['parentbased_traceidratio', 0.5, LOW, true, true],
  ['parentbased_traceidratio', 0.5, HIGH, false, false],
])('%s of %d decides of %s with the parent %s: %s', (name, ratio, id, parent, expected) => {
  expect(samplerOf(name, ratio)(id, parent)).toBe(expected)
})

const hex = (digits: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: digits, maxLength: digits })
    .map((all) => all.map((digit) => digit.toString(16)).join(''))
    .filter((text) => !/^0+$/.test(text))
const anyTrace = fc.record({
  traceId: hex(32),
  spanId: hex(16),
  isSampled: fc.boolean(),
  state: fc.option(fc.stringMatching(/^[a-z][!-~]{1,40}$/), { nil: undefined }),
})

test('a trace is the same after its way through headers, and through RPCTInfo', () => {
  fc.assert(
    fc.property(anyTrace, (context) => {
      const trace = writtenTrace(context)
      expect(readTrace(trace)).toEqual(context)
      const headers = new Map(traceHeaders(trace))
      expect(joinedTrace(headers.get('traceparent'), headers.get('tracestate'))).toBe(trace)
      const writer = new MessageWriter()
      writeTraceInfo(writer, 2, trace)
      const reader = new MessageReader(writer.take())
      reader.next()
      expect(readTraceInfo(reader.message())).toBe(trace)
    }),
  )
})

test.each([
  '',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
])('%s is no trace', (text) => {
  expect(joinedTrace(text)).toBeUndefined()
})

test('a later version may have more parts, and a long state is left out', () => {
  const parent = '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more'
  expect(readTrace(joinedTrace(parent, 'x'.repeat(600)))).toMatchObject({ isSampled: true, state: undefined })
})

test('bytes that are no RPCTInfo are no trace', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(readTraceInfo(new MessageReader(Buffer.from(bytes)))).toBeUndefined()
    }),
  )
})
