// What the figures were measured on, and with.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

const packages = ['bullmq', 'ioredis', 'express', '@electric-sql/pglite', 'yaml']

export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  node: string
  redis: string
  packages: Record<string, string>
  /** At the start: what else the machine did. */
  load: number
}

export function machine(): Machine {
  const [first] = cpus()
  const redis = spawnSync('redis-server', ['--version'], { encoding: 'utf8' })
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    redis: /v=(\S+)/.exec(redis.stdout ?? '')?.[1] ?? 'none',
    packages: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

export function machineLine({ cpu, cores, memoryGb, node, redis, packages: versions, load }: Machine): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${cpu}, ${cores} cores, ${memoryGb} GB, load ${load} at the start; Node ${node}, Redis ${redis}, ${named.join(', ')}`
}

function versionOf(name: string): string {
  const manifest = join(import.meta.dirname, '../node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
