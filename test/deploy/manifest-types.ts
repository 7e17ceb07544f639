// Compares manifests with their models' types: unlike the models' own validation, the compiler refuses unknown keys.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const modules: Record<string, string> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
}

/** What the compiler says against each manifest, a line for each error; empty where there is none. */
export function typeErrorsOf(manifests: readonly { apiVersion: string; kind: string }[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-manifests-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const lines = manifests.map((manifest, n) => {
      const type = `import('${modules[manifest.apiVersion]}').I${manifest.kind}`
      return `export const manifest${n}: ${type} = ${JSON.stringify(manifest)}`
    })
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--pretty', 'false']
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'manifests.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
