import { setImmediate as nextRound } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { LOOP_TURNS } from '../../src/model/loop-turns.ts'
import { eachInTurns, manyATurn, mapInTurns } from '../../src/model/many-a-turn.ts'

afterEach(() => vi.restoreAllMocks())

test('all elements are done in order, and the event loop turns in between', async () => {
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const list = Array.from({ length: 10_000 }, (_, number) => number)
  const done: number[] = []
  let turns = 0
  const count = (): void => {
    turns++
    if (done.length < list.length) setImmediate(count)
  }
  setImmediate(count)
  await eachInTurns(list, (number) => {
    nowMs += 0.1
    done.push(number)
  })
  expect(done).toEqual(list)
  // A second's work, of which 20 ms and a step are done in a turn.
  expect(turns).toBeGreaterThanOrEqual(15)
  expect(await mapInTurns(list, (number) => -number)).toEqual(list.map((number) => -number))
})

test('an element that is refused ends it', async () => {
  const done: number[] = []
  const refuse = (number: number): void => {
    if (number === 3) throw new RangeError('three')
    done.push(number)
  }
  await expect(eachInTurns([1, 2, 3, 4], refuse)).rejects.toThrow('three')
  expect(done).toEqual([1, 2])
})

/** Works that begin at once share the time of a round with all others, reads of the engine among them. */
test('steps of many works take no more of a round than one work does', async () => {
  for (let round = 0; round < 2; round++) await nextRound()
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const spentMs: number[] = [0]
  const spend = (ms: number): void => {
    nowMs += ms
    spentMs[spentMs.length - 1]! += ms
  }
  const state = { left: 17 }
  const counting = (async () => {
    while (state.left > 0) {
      await nextRound()
      spentMs.push(0)
    }
  })()
  function* steps(): Generator<void, void> {
    for (let i = 0; i < 40; i++) {
      spend(1)
      yield
    }
  }
  const read = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) {
      await LOOP_TURNS.next()
      spend(LOOP_TURNS.begin())
    }
  }
  const works = [read(), ...Array.from({ length: 16 }, () => manyATurn(steps()))]
  await Promise.all(works.map((work) => work.finally(() => state.left--)))
  await counting
  expect(Math.max(...spentMs)).toBeLessThanOrEqual(2 * 20 + 4)
})

test('work whose result is not wanted any more ends', async () => {
  let done = 0
  function* endless(): Generator<void, void> {
    for (;;) {
      done++
      nowMs += 1
      yield
    }
  }
  for (let round = 0; round < 2; round++) await nextRound()
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const check = (): void => {
    if (done > 100) throw new RangeError('gone')
  }
  await expect(manyATurn(endless(), check)).rejects.toThrow('gone')
  expect(done).toBeLessThan(150)
})
