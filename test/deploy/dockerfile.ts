// Reads a Dockerfile and runs its steps in folders of this machine: what an image would hold, without an engine.
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Step {
  keyword: string
  text: string
}

export interface Stage {
  name: string
  from: string
  steps: Step[]
}

/** The stages in their order; build arguments are filled in with their defaults. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const defaults = new Map<string, string>()
  const stages: Stage[] = []
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, keyword = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (keyword === 'ARG') defaults.set(rest.split('=')[0] ?? '', rest.slice(rest.indexOf('=') + 1))
    const filled = rest.replaceAll(/\$\{(\w+)\}/g, (all, name: string) => defaults.get(name) ?? all)
    if (keyword === 'FROM') {
      const [, from = '', name = String(stages.length)] = /^(\S+)(?: AS (\S+))?$/.exec(filled) ?? []
      stages.push({ name, from, steps: [] })
      // The health check's braces are JavaScript's. A cache that is mounted is npm's own here.
    } else
      stages.at(-1)?.steps.push({
        keyword,
        text: keyword === 'HEALTHCHECK' ? rest : filled.replace(/^--mount=type=cache\S* /, ''),
      })
  }
  return stages
}

/** What a stage says last with a keyword. */
export function said(stage: Stage, keyword: string): string {
  const found = stage.steps.findLast((step) => step.keyword === keyword)
  if (found === undefined) throw new Error(`the Dockerfile has no ${keyword}`)
  return found.text
}

/** The list that a CMD, an ENTRYPOINT or a HEALTHCHECK runs. */
export const listOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))

export const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    stage.steps
      .filter(({ keyword }) => keyword === 'ENV')
      .flatMap(({ text }) =>
        text.split(' ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      ),
  )

export interface Ground {
  /** What the Dockerfile copies from. */
  context: string
  /** Gets a folder for each stage, which stands for its `/`. */
  folder: string
  /** What a RUN does here, where it cannot be done as it is written; undefined: it is done as written. */
  instead: (run: string, stage: string, root: string) => Promise<void> | undefined
}

/** Does WORKDIR, COPY and RUN of all stages; gives the folder of the last one. Throws for what is not known. */
export async function perform(stages: readonly Stage[], ground: Ground): Promise<string> {
  let root = ground.folder
  for (const stage of stages) {
    root = join(ground.folder, stage.name)
    let here = '/'
    for (const { keyword, text } of stage.steps) {
      if (keyword === 'WORKDIR') here = text
      await mkdir(join(root, here), { recursive: true })
      if (keyword === 'COPY') await copy(text, join(root, here), ground)
      if (keyword === 'RUN')
        await (ground.instead(text, stage.name, root) ?? run('sh', ['-c', text], { cwd: join(root, here) }))
      if (!known.has(keyword)) throw new Error(`nothing is known of ${keyword}`)
    }
  }
  return root
}

const known = new Set('WORKDIR COPY RUN ENV ARG LABEL VOLUME USER EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' '))

async function copy(text: string, to: string, { context, folder }: Ground): Promise<void> {
  const [, stage, names = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? []
  const all = names.split(' ')
  const target = all.pop() ?? ''
  const allowed = stage === undefined ? await allowedIn(context) : undefined
  for (const name of all) {
    if (allowed?.has(name) === false) throw new Error(`.dockerignore keeps ${name} out`)
    const from = stage === undefined ? join(context, name) : join(folder, stage, name)
    await cp(from, target === './' ? join(to, basename(name)) : join(to, target), { recursive: true })
  }
}

/** What a .dockerignore that begins with `*` lets in. */
async function allowedIn(context: string): Promise<Set<string>> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines[0] !== '*') throw new Error('.dockerignore does not begin with *')
  return new Set(lines.slice(1).map((line) => line.replace(/^!/, '')))
}
