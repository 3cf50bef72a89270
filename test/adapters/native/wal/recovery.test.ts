import { expect, it } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { numbered, StoreUnderTest, tableOf } from '../store-under-test.ts'

it('a start tells how far its replay has come, and keeps what it was', async () => {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  for (const row of numbered(10)) await session.put([row], { value: 'v'.repeat(1 << 16) })
  const lines: string[] = []
  let now = 0
  const store = await openNativeStore({
    directory: '/s',
    fileSystem: session.fileSystem.killed(),
    // Each look at the clock is a second later.
    clock: { now: () => (now += 1000) },
    random: () => 0.5,
    log: (level, message) => lines.push(`${level}: ${message}`),
  })
  const last = lines.pop()
  expect(last).toBe('info: the write-ahead log was replayed')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines)
    expect(line).toMatch(
      /^info: replaying the write-ahead log: \d+ %, 0 of 1 MB, 0\.[01] MB\/s, [1-9]\d* s left$/,
    )
  const figures = Object.fromEntries(
    (await store.metrics()).map(({ name, samples }) => [name, samples[0]?.value]),
  )
  expect(figures['tidegate_native_recovery_records']).toBe(10)
  expect(figures['tidegate_native_recovery_bytes']).toBeGreaterThan(400)
  expect(figures['tidegate_native_recovery_seconds']).toBeGreaterThan(1)
  await store.close()
})
