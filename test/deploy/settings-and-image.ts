// What the tests of compose.yaml, the manifests and the systemd unit compare them with: the settings, and the image.
import { readFileSync } from 'node:fs'
import { fileVariable } from '../../src/cli/settings/secret-files.ts'
import type { Setting } from '../../src/cli/settings/setting.ts'
import { readConfig, settings } from '../../src/cli/settings/settings.ts'
import { readDockerfile, said } from './dockerfile.ts'

export const root = new URL('../../', import.meta.url)
export const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
export const { version } = JSON.parse(text('package.json'))
const lastStage = readDockerfile(text('Dockerfile')).at(-1)
if (lastStage === undefined) throw new Error('the Dockerfile has no stage')
/** The last stage of the Dockerfile. */
export const image = lastStage
export const port = Number(said(image, 'EXPOSE'))

const known = new Set(
  Object.values<Setting<unknown>>(settings).flatMap((each) => [
    each.variable,
    ...[fileVariable(each)].filter((name) => name !== undefined),
  ]),
)
export const unknownIn = (source: string) =>
  [...source.matchAll(/BELLHOP_[A-Z_]+/g)].map(([name]) => name).filter((name) => !known.has(name))
/** What stops last must have time to give back what runs. */
export const stopSeconds = Number(settings.shutdownTimeoutMs.default) / 1000

const secretOf = (variable: string) => (variable.includes('_URL_') ? 'postgres://h/d' : 'x'.repeat(32))

/** What the settings are when a file of secrets is as good as the secret. */
export function configOf(environment: Record<string, string>) {
  const given = Object.entries(environment).map(([name, value]) =>
    name.endsWith('_FILE') ? [name.replace(/_FILE$/, ''), secretOf(name)] : [name, value],
  )
  const read = readConfig(Object.fromEntries(given), {})
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return read.config
}
