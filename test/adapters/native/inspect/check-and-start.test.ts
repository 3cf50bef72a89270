/** A check, a repair and a start are of one mind about manifests that were cut. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isHBaseError } from '../../../../src/model/errors.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { StoreUnderTest } from '../store-under-test.ts'
import { checked, damageableStore, repaired } from './damaged-store.ts'

const BOTH = ['/s/manifest', '/s/manifest.copy'] as const
const MAGIC_BYTES = 8

async function isRefused(files: CrashableFileSystem): Promise<boolean> {
  try {
    const session = await StoreUnderTest.open({}, files)
    await session.store.close()
    return false
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return true
  }
}

it.each([0, 1, MAGIC_BYTES - 1, MAGIC_BYTES, MAGIC_BYTES + 1])(
  'with %i bytes left of both, beside data, a start and a repair refuse, and a check tells an error',
  async (bytes) => {
    const files = await damageableStore()
    for (const path of BOTH) files.replace(path, files.bytesOf(path).subarray(0, bytes))
    const { check, findings } = checked(files)
    expect(check).toMatchObject({ errors: 1 })
    expect(findings[0]).toMatchObject({ severity: 'error', advice: expect.stringContaining('from a copy') })
    await expect(repaired(files)).rejects.toThrow('no manifest that can be read')
    expect(await isRefused(files)).toBe(true)
  },
)

it('what a start refuses is damage for a check, and for a repair', async () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(part, fc.option(part), async (first, second) => {
      const files = await damageableStore()
      for (const [path, share] of [
        [BOTH[0], first],
        [BOTH[1], second ?? first],
      ] as const) {
        const whole = files.bytesOf(path)
        files.replace(path, whole.subarray(0, Math.round(share * whole.length)))
      }
      const { errors } = checked(files).check!
      const said = await repaired(files, true).catch(({ message }: Error) => [message])
      if (!(await isRefused(files))) return
      expect(errors).toBeGreaterThan(0)
      expect(said).not.toEqual([])
    }),
    { numRuns: testRuns(40) },
  )
})
