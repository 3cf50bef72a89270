import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LoopTurns } from '../../src/model/loop-turns.ts'
import type { Steps } from '../../src/model/steps.ts'

/** Each turn takes `turnMs` of a clock that only turns move. Returns the rounds of the event loop in which each worker had its turns. */
async function roundsOf(workers: number, turnsOfEach: number, turnMs: number): Promise<number[][]> {
  let now = 0
  let round = 0
  const turns = new LoopTurns(() => now)
  const state = { isOver: false }
  const counting = (async () => {
    while (!state.isOver) {
      await nextRound()
      round++
    }
  })()
  const work = async (): Promise<number[]> => {
    const had: number[] = []
    for (let turn = 0; turn < turnsOfEach; turn++) {
      await turns.next()
      turns.begin()
      had.push(round)
      now += turnMs
    }
    return had
  }
  const rounds = await Promise.all(Array.from({ length: workers }, work))
  state.isOver = true
  await counting
  return rounds
}

describe('turns of the event loop', () => {
  it('are no more in a round than its share has time for', async () => {
    const rounds = await roundsOf(16, 5, 20)
    const counts = new Map<number, number>()
    for (const round of rounds.flat()) counts.set(round, (counts.get(round) ?? 0) + 1)
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(2)
  })

  it('come to all who wait, one after the other', async () => {
    const rounds = await roundsOf(16, 5, 20)
    for (let turn = 0; turn < 5; turn++) {
      const ofTurn = rounds.map((had) => had[turn]!)
      expect(Math.max(...ofTurn)).toBeLessThan(Math.min(...rounds.map((had) => had[turn + 2] ?? Infinity)))
    }
  })

  it('are many in a round where each is short', async () => {
    const rounds = await roundsOf(100, 3, 0.01)
    expect(Math.max(...rounds.flat()) - Math.min(...rounds.flat())).toBeLessThan(6)
  })

  it('are over for the round once its share is used up', async () => {
    let now = 0
    const turns = new LoopTurns(() => now)
    expect(turns.isUsedUp).toBe(false)
    expect(turns.begin()).toBe(20)
    now += 15
    expect([turns.isUsedUp, turns.begin()]).toEqual([false, 5])
    now += 15
    expect([turns.isUsedUp, turns.begin()]).toEqual([true, 2])
    await nextRound()
    await nextRound()
    expect([turns.isUsedUp, turns.begin()]).toEqual([false, 20])
  })

  it('come once in a round though others have used up its share', async () => {
    let now = 0
    const turns = new LoopTurns(() => now)
    const state = { isOver: false }
    const useUp = (): void => {
      turns.begin()
      now += 100
      if (!state.isOver) setImmediate(useUp)
    }
    setImmediate(useUp)
    await turns.next()
    await turns.next()
    state.isOver = true
    await nextRound()
  })

  it('are shared by steps, and others have theirs in between', async () => {
    const calls: string[] = []
    let now = 0
    const turns = new LoopTurns(() => now)
    function* steps(): Steps<string> {
      for (let step = 0; step < 5; step++) {
        calls.push(`step ${step}`)
        now += 8
        yield
      }
      return 'done'
    }
    setImmediate(() => calls.push('another'))
    expect(await turns.run(steps(), () => calls.push('resumed'))).toBe('done')
    expect(calls).toEqual(['step 0', 'step 1', 'step 2', 'another', 'resumed', 'step 3', 'step 4'])
  })

  it('are waited for before the first step where the share is used up, and end with what `resumed` throws', async () => {
    let now = 0
    let done = 0
    const turns = new LoopTurns(() => now)
    function* steps(): Steps<void> {
      for (;;) {
        done++
        yield
      }
    }
    turns.begin()
    now += 20
    await expect(
      turns.run(steps(), () => {
        throw new RangeError(`not wanted after ${done} steps`)
      }),
    ).rejects.toThrow('not wanted after 0 steps')
    expect(done).toBe(0)
  })
})
