/** See WakeUps. They keep no process alive. */
export function nodeWakeUps(wake: () => void, everyMs: number): () => void {
  const timer = setInterval(wake, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
