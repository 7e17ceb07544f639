// The Dockerfile's build stage, performed once for all that use what it builds.
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onceForRun } from '../once-for-run.ts'
import { root, runProgram } from '../system/process.ts'
import { perform, readDockerfile, type Stage } from './dockerfile.ts'

export async function readStages(): Promise<Stage[]> {
  return readDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))
}

/** The stage's folder: `app/dist` is what `npm run build` makes of nothing but what the Dockerfile copies. */
export async function buildStage(): Promise<string> {
  const folder = await onceForRun('build-stage', async (folder) => {
    const stages = (await readStages()).slice(0, 1)
    const instead = (run: string, _stage: string, at: string) =>
      // The same lock file made these.
      run === 'npm ci' ? link(join(root, 'node_modules'), join(at, 'app/node_modules')) : undefined
    await perform(stages, { context: root, folder, instead })
  })
  return join(folder, 'build')
}

async function link(from: string, to: string): Promise<void> {
  const { code, stderr } = await runProgram(['cp', '-al', from, to], {})
  // Another file system: a copy does as well.
  if (code !== 0) await cp(from, to, { recursive: true }).catch(() => Promise.reject(new Error(stderr)))
  await rm(join(to, '.cache'), { recursive: true, force: true })
}

export const npmEnvironment = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
}
