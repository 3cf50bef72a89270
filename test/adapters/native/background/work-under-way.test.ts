import { expect, test } from 'vitest'
import { WorkUnderWay } from '../../../../adapters/native/background/work-under-way.ts'

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test('other work waits for the end of all work, and goes on while all of it waits for the disk', async () => {
  const work = new WorkUnderWay()
  const [disk, first, second] = [gate(), gate(), gate()]
  const both = [
    work.during(async () => {
      await first.opened
      await work.besides(() => disk.opened)
    }),
    work.during(() => second.opened),
  ]
  let ends = 0
  const count = (): number => ends++
  void work.ended().then(count)
  first.open()
  await Promise.resolve()
  expect(work.isUnderWay).toBe(true)
  expect(ends).toBe(0)
  second.open()
  await both[1]
  expect(work.isUnderWay).toBe(false)
  expect(ends).toBe(1)
  disk.open()
  await both[0]
  await work.ended()
  expect(work.isUnderWay).toBe(false)
})

test('work that fails is over', async () => {
  const work = new WorkUnderWay()
  const failed = work.during(() => Promise.reject(new Error('full')))
  await expect(failed).rejects.toThrow('full')
  await work.ended()
  const torn = work.during(() => work.besides(() => Promise.reject(new Error('torn'))))
  await expect(torn).rejects.toThrow('torn')
  expect(work.isUnderWay).toBe(false)
})

test('work is under way again after its wait for the disk', async () => {
  const work = new WorkUnderWay()
  const end = gate()
  const waited = gate()
  const done = work.during(async () => {
    await work.besides(() => Promise.resolve())
    waited.open()
    await end.opened
  })
  await waited.opened
  expect(work.isUnderWay).toBe(true)
  end.open()
  await done
})
