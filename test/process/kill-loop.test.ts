import { expect, test } from 'vitest'
import { killRepeatedly } from '../harness/kill/kill-loop.ts'
import { DOORS } from '../harness/kill/writing-doors.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

test.each([
  { signal: 'SIGKILL', kills: 5 },
  { signal: 'SIGTERM', kills: 2 },
] as const)(
  '$kills times $signal under writers at every door loses nothing, tears nothing and leaves nothing',
  { timeout: 120_000 },
  ({ signal, kills }) =>
    inTemporaryFolder(async (folder) => {
      const { acknowledged, names, setAside } = await killRepeatedly({
        folder,
        kills,
        signal,
        lifeMsMax: 600,
        say: () => undefined,
      })
      expect(Object.keys(acknowledged)).toEqual(Object.keys(DOORS))
      for (const count of Object.values(acknowledged)) expect(count).toBeGreaterThan(0)
      expect(setAside).toEqual([])
      expect([...names].sort()).toEqual(
        ['data', 'manifest', 'manifest.copy', 'manifest.reserve', 'wal'].filter((name) =>
          names.includes(name),
        ),
      )
    }),
)
