/**
 * Whether the server says that it is Tidegate. Its REST /version names the runtime where HBase names its JVM: `Node.js v20.1.0`.
 * A server that does not answer is none.
 */
export async function isTidegate(rest: string, timeoutMs: number): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/version', rest), {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { JVM: runtime } = (await answer.json()) as { readonly JVM?: unknown }
    return typeof runtime === 'string' && runtime.startsWith('Node.js ')
  } catch {
    return false
  }
}
