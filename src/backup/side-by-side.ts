/** Files of a backup that are worked on at a time. */
const AT_ONCE = 4

/** The work for all elements, some of them at a time. Rejects with the first failure once none is under way. */
export async function sideBySide<Element>(
  list: readonly Element[],
  work: (element: Element, index: number) => Promise<void>,
  atOnce: number = AT_ONCE,
): Promise<void> {
  let next = 0
  let hasFailed = false
  const worker = async (): Promise<void> => {
    while (next < list.length && !hasFailed) {
      const index = next++
      try {
        await work(list[index]!, index)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}
