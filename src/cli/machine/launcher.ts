/**
 * Ends a server together with the npm that started it.
 *
 * `npm start` and `npx` run their command through a shell. Debian's shell does not hand its process over to the command. There npm passes
 * SIGTERM to the shell alone: shell and npm end, and the server would keep its ports and its lock. A killed npm passes on nothing at all.
 * So the server watches the processes between npm and itself.
 *
 * A server that a user detached on purpose (nohup, setsid, `&` in the script, a process group of its own) is left alone. So is one that
 * another program started: that program ends it.
 */

import { isParent, type ProcessFacts, processFacts } from './processes.ts'

const LOOK_MS = 500
const SHELL = /^(?:\S*\/)?(?:sh|dash|ash|bash|zsh|ksh|busybox)(?: |$)/
const PACKAGE_MANAGER =
  /^(?:npm|npx|pnpm|yarn)(?: |$)|^\S*node(?: -\S+)* \S*\/(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?: |$)/
const DETACHES = /\b(?:nohup|setsid|disown|start-stop-daemon|systemd-run)\b|(?<![&>])&(?![&>\d])/

type Environment = Readonly<Record<string, string | undefined>>

/** Calls `stop` once with a reason in words, where npm started this process and then ended. Does not keep the process alive. */
export function watchLauncher(stop: (reason: string) => void): void {
  const chain = launcherChain(process.env, process.pid, processFacts)
  if (chain.length === 0) return
  const look = setInterval(() => {
    const isWhole = chain.every((pid, i) => isParent(pid, chain[i - 1] ?? process.pid))
    if (isWhole) return
    clearInterval(look)
    stop(`the end of npm (process ${chain.at(-1)}), which started this server`)
  }, LOOK_MS)
  look.unref()
}

/** The processes from this one's parent up to the npm that a user started; none where npm did not start the server. */
export function launcherChain(
  env: Environment,
  self: number,
  factsOf: (pid: number) => ProcessFacts | undefined,
): readonly number[] {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env
  const own = event === undefined || DETACHES.test(script) ? undefined : factsOf(self)
  if (own === undefined) return []
  const chain: number[] = []
  let managers = 0
  for (let pid = own.parent; ; ) {
    const facts = factsOf(pid)
    // Job control gives every command of a user's shell a group of its own: that shell is not part of the chain.
    if (facts === undefined || facts.group !== own.group) break
    const isManager = PACKAGE_MANAGER.test(facts.command)
    if (!isManager && !SHELL.test(facts.command)) break
    chain.push(pid)
    if (isManager) managers = chain.length
    pid = facts.parent
  }
  // Shells above the topmost npm are a user's scripts: they may end before the server.
  return chain.slice(0, managers)
}
