import { expect, test, vi } from 'vitest'
import { DOOR_NAMES } from '../../../src/cli/settings/door-ports.ts'
import { startTidegate } from '../../../src/library/start-tidegate.ts'

test('a server that was stopped has no timers left, whatever doors it had', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const server = await startTidegate(Object.fromEntries(DOOR_NAMES.map((door) => [door, 0])))
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    await server.stop()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
