import { Module } from '@nestjs/common';
import { DocsController, OpenApiController, ProblemsController, RootController } from './api-docs.controllers.js';

/** The OpenAPI document, the documentation page and the pages of problems. */
@Module({ controllers: [RootController, OpenApiController, DocsController, ProblemsController] })
export class ApiDocsModule {}
