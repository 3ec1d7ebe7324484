import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { worldPlugin } from './draw-world.js';

const OUT = resolve(import.meta.dirname, 'dist');

/** Writes a `.br` and a `.gz` beside each HTML, JavaScript, CSS and SVG file, so that no server compresses them at run time. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(OUT, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(name)) continue;
        const body = readFileSync(join(OUT, name));
        writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(body));
        writeFileSync(join(OUT, `${name}.gz`), gzipSync(body, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: '/console/',
  plugins: [worldPlugin(), precompressed()],
  build: {
    outDir: OUT,
    target: 'es2023',
    // An inlined script or font would need a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // There are two scripts: the search filters, and everything else. Views are small next to the libraries; budget.spec.ts limits it.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // `"use client"` of TanStack Query means nothing here.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  // For `npm run dev -w @carbon/console` while `npm start` runs.
  server: { proxy: { '^/(v1|problems|docs)': 'http://127.0.0.1:3000' } },
});
