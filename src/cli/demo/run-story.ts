// The story without a server: while the hook is off, `bellhop run` does what the same rules say.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Check, Stage } from './queue-story.ts'

/** `folder`: of the run's journal. */
export async function playRunStory({ world, narrator, folder }: Stage, check: Check): Promise<void> {
  const { service, project, people, sandbox } = world
  const events = (on: boolean) => ({ push_events: on, merge_requests_events: on, pipeline_events: on })
  const hook = { id: project, hook_id: world.hookId, url: `${world.bellhop.url}/hooks` }
  await service.projects.hooks.update({ ...hook, ...events(false) })
  const more = { branch: 'explain-run', title: 'Explain run', files: { 'docs/run.md': '# Run\n' } }
  const { iid } = await world.openMergeRequest({ as: people.alice, ...more })
  narrator.say(`alice opened !${iid}; the hook of serve is off`)
  await world.settle()
  const args = ['run', '--project', 'hotel/app', '--journal', folder]
  const own = Object.entries(process.env).filter(([name]) => !/^(BELLHOP|CI)_/.test(name))
  const settings = { BELLHOP_SERVICE_URL: sandbox.url, BELLHOP_SERVICE_TOKEN: people.bellhop.token }
  const env = { ...Object.fromEntries(own), ...settings, BELLHOP_LOG_LEVEL: 'error' }
  for (const when of ['', ', once more']) {
    narrator.say(`bellhop ${args.slice(0, 3).join(' ')}${when}:`)
    const { stdout } = await promisify(execFile)(process.execPath, [process.argv[1] ?? '', ...args], { env })
    for (const line of stdout.trimEnd().split('\n')) narrator.say(`  ${line}`)
    const { labels, time_stats: times } = await world.mergeRequest(iid)
    check('it has the label', labels, ['documentation'])
    check('its estimate is 15 minutes', times?.time_estimate, 900)
  }
  await service.projects.hooks.update({ ...hook, ...events(true) })
}
