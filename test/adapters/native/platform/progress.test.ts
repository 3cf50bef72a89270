import { expect, test } from 'vitest'
import { Progress } from '../../../../adapters/native/platform/progress.ts'

test('progress is told after a time, with the part that is done, and not more often', () => {
  let now = 0
  const told: string[] = []
  const tell = (percent: number, done: number, total: number): void =>
    void told.push(`${percent} %: ${done} of ${total}`)
  const progress = new Progress({ now: () => now }, 200, tell, 1000)
  progress.add(50)
  now = 1000
  progress.add(51)
  now = 1999
  progress.reach(150)
  now = 2000
  progress.reach(201)
  expect(told).toEqual(['50 %: 101 of 200', '100 %: 201 of 200'])
})
