// `bellhop openapi`: prints the contract as an OpenAPI document.
import { Command } from 'commander'
import { openApiDocument } from '../../api/openapi.ts'
import { printJson } from '../output/terminal-text.ts'

export function openapi(): Command {
  return new Command()
    .addHelpText('after', '\nExample:\n  $ bellhop openapi > openapi.json')
    .action(() => printJson(openApiDocument()))
}
