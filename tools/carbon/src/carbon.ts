#!/usr/bin/env node
import { runProcess } from '@carbon/terminal';
import { carbonProgram } from './program.js';

await runProcess(carbonProgram);
