import { expect, test } from 'vitest'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'

test('a copy of what was written is not touched by later writes, which begin anew', () => {
  const out = new OutputBuffer(4)
  out.append(Buffer.from('first answer'))
  const first = out.copied()
  const { buffer } = out
  out.append(Buffer.from('second'))
  const second = out.copied()
  expect([first.toString(), second.toString(), out.length]).toEqual(['first answer', 'second', 0])
  expect(out.buffer).toBe(buffer)
})

test('what was written before a failure is dropped', () => {
  const out = new OutputBuffer()
  out.append(Buffer.from('a part'))
  out.clear()
  out.append(Buffer.from('all'))
  expect(out.copied().toString()).toBe('all')
})
