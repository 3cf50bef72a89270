import { expect, test } from 'vitest'
import { progressSentence, shownProgress } from '../../src/store/opening-progress.ts'

const work = 'replaying the write-ahead log'

test('neither a rate nor a time is stated before they are known', () => {
  const begun = { work, bytes: 0, bytesTotal: 10_500_000, seconds: 20 }
  expect(progressSentence(begun)).toBe('replaying the write-ahead log: 0 %, 0 of 11 MB')
  expect(progressSentence({ ...begun, bytes: 5_000_000, seconds: 0.5 })).toBe(
    'replaying the write-ahead log: 47 %, 5 of 11 MB',
  )
})

test('the time left follows from the rate', () => {
  const progress = { work, bytes: 5_000_000, bytesTotal: 10_000_000, seconds: 4 }
  expect(progressSentence(progress)).toBe(
    'replaying the write-ahead log: 50 %, 5 of 10 MB, 1.3 MB/s, 4 s left',
  )
  expect(shownProgress({ ...progress, bytes: 12_000_000 })).toMatchObject({ percent: 100, secondsLeft: 0 })
  expect(shownProgress({ work, bytes: 0, bytesTotal: 0, seconds: 0 }).percent).toBe(100)
})
