/** A promise that waits until the gate is opened. */
export function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  const listeners: (() => void)[] = []
  const promise = new Promise<void>((resolve) => {
    listeners.push(resolve)
  })
  return { promise, open: () => listeners.forEach((resolve) => resolve()) }
}
