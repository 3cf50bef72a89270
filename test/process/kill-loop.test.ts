import { expect, test } from 'vitest'
import { killRepeatedly } from '../harness/kill-loop.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

test('four kills in a row, and one of a start, cost nothing and leave nothing', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const { acknowledged, names, setAside } = await killRepeatedly({
      folder,
      kills: 4,
      lifeMsMax: 300,
      say: () => undefined,
    })
    expect(acknowledged).toBeGreaterThan(0)
    expect(setAside).toEqual([])
    expect([...names].sort()).toEqual(
      ['data', 'manifest', 'manifest.copy', 'wal'].filter((name) => names.includes(name)),
    )
  }),
)
