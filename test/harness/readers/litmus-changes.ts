import type { LitmusStore } from './litmus-store.ts'

export type Change = (store: LitmusStore) => Promise<void>

/** The changes that go by while a reader is stopped. Each commits several times. */
export const DISTURBANCES = {
  overwrites: async (store: LitmusStore): Promise<void> => {
    for (let i = 0; i < 3; i++) await store.write()
  },
  'several overwrites a commit': async (store: LitmusStore): Promise<void> => {
    for (let i = 0; i < 5; i++) await store.writeTogether(3)
  },
  'overwrites that the log refuses': async (store: LitmusStore): Promise<void> => {
    await store.writeTogether(2)
    await store.refused(3)
    await store.write()
    await store.refused(1)
  },
  'a refused write during a flush': async (store: LitmusStore): Promise<void> => {
    const flushed = store.flush().catch(() => undefined)
    await store.refused(2)
    await flushed
    await store.write()
    await store.flush()
    await store.write()
  },
  'a flush': async (store: LitmusStore): Promise<void> => {
    await store.write()
    await store.flush()
    await store.write()
    await store.write()
  },
  'a compaction': async (store: LitmusStore): Promise<void> => {
    await store.write()
    await store.flush()
    await store.write()
    await store.compact()
    await store.write()
  },
  // The index of a new memstore grows with each of its first rows.
  'a flush and growth': async (store: LitmusStore): Promise<void> => {
    await store.flush()
    await store.write()
    await store.fill(300)
    await store.write()
    await store.write()
  },
  // The memory of a memstore that the reader knows grows before there is any new view.
  'growth and a flush': async (store: LitmusStore): Promise<void> => {
    await store.fill(300)
    await store.write()
    await store.flush()
    await store.write()
  },
  // Of more than a commit takes at the end of a turn, and of more than one turn writes.
  'large changes': async (store: LitmusStore): Promise<void> => {
    await store.writeLarge(5)
    await store.write()
    await store.writeLarge(9)
    await store.write()
  },
  'a bulk load': async (store: LitmusStore): Promise<void> => {
    await store.write()
    await store.bulkLoad()
    await store.write()
    await store.compact()
  },
  'a split and a merge': async (store: LitmusStore): Promise<void> => {
    await store.write()
    await store.splitAndMerge()
    await store.write()
  },
} as const
export type Disturbance = keyof typeof DISTURBANCES
