/**
 * Works on `count` parts, at most `lanes` of them at a time, in their order. After a failure no other part begins, and `isOver` is true
 * for those that have begun. Throws the first failure once all have ended.
 */
export async function inLanes(
  count: number,
  lanes: number,
  work: (index: number, isOver: () => boolean) => Promise<void>,
): Promise<void> {
  let next = 0
  let failure: { readonly error: unknown } | undefined
  const isOver = (): boolean => failure !== undefined
  const lane = async (): Promise<void> => {
    while (next < count && failure === undefined) {
      try {
        await work(next++, isOver)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane))
  if (failure !== undefined) throw failure.error
}
