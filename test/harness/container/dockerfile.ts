/** What a Dockerfile says of the image's last stage. Reads the forms that ours has, and refuses others. */

export interface ImageSettings {
  readonly base: string
  readonly user: string
  readonly workdir: string
  readonly environment: Readonly<Record<string, string>>
  readonly ports: readonly number[]
  readonly volumes: readonly string[]
  readonly healthcheck: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

/** Throws an Error that names the line where an instruction is missing or has another form. */
export function imageSettings(dockerfile: string): ImageSettings {
  const lines = dockerfile
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const all = (name: string): readonly string[] =>
    stage.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim())
  const one = (name: string): string => {
    const [value, ...others] = all(name)
    if (value === undefined || others.length > 0) throw new Error(`one ${name} is expected in: ${stage[0]}`)
    return value
  }
  return {
    base: one('FROM'),
    user: one('USER'),
    workdir: one('WORKDIR'),
    environment: Object.fromEntries(all('ENV').flatMap((line) => line.split(/\s+/).map(assignment))),
    ports: all('EXPOSE').flatMap((line) => line.split(/\s+/).map(Number)),
    volumes: all('VOLUME'),
    healthcheck: words(one('HEALTHCHECK').replace(/^.*\bCMD\s+/, '')),
    entrypoint: words(one('ENTRYPOINT')),
    command: words(one('CMD')),
  }
}

function assignment(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`NAME=VALUE is expected, not: ${text}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A command as JSON's array of its words: no shell stands between the container and the process. */
function words(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text)
  if (Array.isArray(parsed) && parsed.every((word) => typeof word === 'string')) return parsed
  throw new Error(`an array of words is expected, not: ${text}`)
}
