import { expect, test } from 'vitest'
import { KeptRows, NO_ROW } from './kept-rows.ts'

test('a read beside the writer finds what was acknowledged before it began, or a change of its time, and nothing older', () => {
  const kept = new KeptRows()
  const old = new Map([['r', 'f:a=1']])
  const early = kept.reading('r')
  kept.began(old)
  kept.ended(old)
  const middle = kept.reading('r')
  const late = new Map([['r', 'f:a=2']])
  kept.began(late)
  kept.ended(late)
  const after = kept.reading('r')
  for (const state of [NO_ROW, 'f:a=1', 'f:a=2']) expect(() => early.found(state)).not.toThrow()
  expect(() => middle.found('f:a=2')).not.toThrow()
  expect(() => middle.found(NO_ROW)).toThrow('a read of row r found "", and may be "f:a=1" or "f:a=2"')
  expect(() => after.found('f:a=2')).not.toThrow()
  expect(() => after.found('f:a=1')).toThrow('a read of row r found "f:a=1", and may be "f:a=2"')
})

test('a change that was refused is found by no read that begins later', () => {
  const kept = new KeptRows()
  const change = new Map([['r', 'f:a=1']])
  kept.began(change)
  const during = kept.reading('r')
  kept.refused(change)
  during.end()
  expect(() => during.found('f:a=1')).not.toThrow()
  expect(() => kept.reading('r').found('f:a=1')).toThrow('found "f:a=1", and may be ""')
})
